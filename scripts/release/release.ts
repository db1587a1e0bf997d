import { join } from 'node:path';
import type { BuildFacts } from '../support/build-facts.ts';
import type { ReleaseTarget } from './targets.ts';

/** A release that is being built. */
export interface Release {
  /** Absolute path of the directory with one directory per version; published under the base URL. */
  readonly directory: string;
  /** Absolute path of the published directory: `v<version>` below `directory`. */
  readonly published: string;
  readonly facts: BuildFacts;
  readonly targets: readonly ReleaseTarget[];
  /** Base URL of downloads, without a trailing `/`; empty if unknown. */
  readonly base: string;
  /** True to make `.tar.xz` archives as well, which takes minutes. */
  readonly hasXz: boolean;
  /** True to make the files of other channels as well: bundles, an image, and descriptions for package managers. */
  readonly hasChannels: boolean;
  /**
   * True if the programs for macOS have no valid signature: they were compiled on another system, and nothing could sign
   * them between compiling and packing.
   */
  readonly isUnsigned: boolean;
  /** Modification time of all files in archives: the time of the commit. */
  readonly modified: Date;
}

/** Returns the directory of the program for `target` between compiling and packing, where it can be signed. */
export function programDirectory({ directory }: { readonly directory: string }, { id }: ReleaseTarget): string {
  return join(directory, 'programs', id);
}
