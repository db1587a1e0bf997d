import { join } from 'node:path';
import type { BuildFacts } from '../support/build-facts.ts';
import type { ReleaseTarget } from './targets.ts';

/** What the parts of a release work with. */
export interface Place {
  /** Absolute path of the directory that holds a directory per version; its address is what installers call the base. */
  readonly directory: string;
  /** Absolute path of the directory that is published: `v<version>` below `directory`. */
  readonly published: string;
  readonly facts: BuildFacts;
  readonly targets: readonly ReleaseTarget[];
  /** Where versions will be downloaded from, without `/` at the end; empty if that is not known. */
  readonly base: string;
  /** Of every file in an archive: when the commit was made. */
  readonly modified: Date;
}

/** Returns where the program for `target` lies between compiling and packing, where it can be signed. */
export function programDirectory({ directory }: { readonly directory: string }, { id }: ReleaseTarget): string {
  return join(directory, 'programs', id);
}
