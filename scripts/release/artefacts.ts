import type { ArtefactMaker } from './artefact.ts';
import { packPrograms } from './pack-programs.ts';
import { writeNotices } from './write-notices.ts';
import { writeSbom } from './write-sbom.ts';

/**
 * What a release consists of, in order. `SHA256SUMS`, `release.json` and the installers are made from what these return,
 * so a new kind of file is one more entry.
 */
export const artefactMakers: readonly ArtefactMaker[] = [packPrograms, writeNotices, writeSbom];
