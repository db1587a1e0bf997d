import type { Release } from './release.ts';

/** A file of a release. */
export interface Artifact {
  /** File name in the published directory. */
  readonly file: string;
  /** `program`: an archive for one target. `bundle`: a `.mcpb` file. `server`: a language server without a release of its own. */
  readonly kind: 'program' | 'bundle' | 'server' | 'notices' | 'sbom';
  /** Platform of the file; absent if it is for all platforms. */
  readonly target?: string;
  /** SHA-256 of the program inside the archive. */
  readonly programSha256?: string;
}

/** Writes files into the published directory and returns them. */
export type ArtifactMaker = (release: Release) => Promise<readonly Artifact[]>;
