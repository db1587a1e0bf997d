import type { Place } from './place.ts';

/** A file of a release. */
export interface Artefact {
  /** In the published directory, without any directory. */
  readonly file: string;
  /** `program`: the archive of one target. `server`: a language server that has no release of its own. */
  readonly kind: 'program' | 'server' | 'notices' | 'sbom';
  /** What it runs on; absent for what concerns all. */
  readonly target?: string;
  /** SHA-256 of the program inside the archive. */
  readonly programSha256?: string;
}

/** Writes files into the published directory and returns them. */
export type ArtefactMaker = (place: Place) => Promise<readonly Artefact[]>;
