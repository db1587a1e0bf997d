import type { ArtifactMaker } from './artifact.ts';
import { packPrograms } from './pack-programs.ts';
import { writeNotices } from './write-notices.ts';
import { writeSbom } from './write-sbom.ts';

/**
 * Makers of the files of a release, in order. `SHA256SUMS`, `release.json` and the installers are generated from their
 * results, so a new kind of file is one more entry.
 */
export const artifactMakers: readonly ArtifactMaker[] = [packPrograms, writeNotices, writeSbom];
