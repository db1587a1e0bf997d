import { join } from 'node:path';
import { tryStat } from '../../base/file-state.ts';
import { readError } from '../../search/read-error.ts';
import type { DependencyArchive } from './dependency-provider.ts';
import { SourceArchive } from './source-archive.ts';

/** A file or directory of an archive. */
export interface Archived {
  readonly archive: SourceArchive;
  /** First part of its addresses, see {@link DependencyArchive}. */
  readonly prefix: string;
  /** Name in the archive; `''` is the whole archive. */
  readonly path: string;
}

/** The lists of names of the archives that were used, until these change. */
export class OpenArchives {
  /** By absolute path. */
  readonly #known = new Map<string, { readonly state: string; readonly archive: SourceArchive }>();

  /**
   * Returns the file or directory at a path below the roots of archives; `undefined` if none has it.
   *
   * @throws {ExpectedError} `file.*` for an archive that cannot be read.
   */
  find(archives: readonly DependencyArchive[], path: string): Archived | undefined {
    for (const one of archives) {
      const inner = nameIn(one, path);
      if (inner === undefined) continue;
      const archive = this.#open(one);
      if (archive.has(inner) || archive.hasDirectory(inner)) return { archive, prefix: one.prefix, path: inner };
    }
    return undefined;
  }

  /** Returns a whole archive. @throws {ExpectedError} as {@link find}. */
  whole(one: DependencyArchive): Archived {
    return { archive: this.#open(one), prefix: one.prefix, path: '' };
  }

  #open(place: DependencyArchive): SourceArchive {
    const path = join(place.root, place.path);
    const stats = tryStat(path);
    const state = stats === undefined ? '' : [stats.dev, stats.ino, stats.size, stats.mtimeMs].join(':');
    const known = this.#known.get(path);
    if (known?.state === state) return known.archive;
    try {
      const archive = new SourceArchive({ root: place.root, path: place.path, links: 'inside' }, nameOf(place));
      this.#known.set(path, { state, archive });
      return archive;
    } catch (error) {
      throw readError(place.prefix || 'src.zip', error);
    }
  }
}

function nameOf({ prefix }: DependencyArchive): string {
  return prefix === '' ? 'the JDK' : `\`${prefix}\``;
}

function nameIn({ prefix }: DependencyArchive, path: string): string | undefined {
  const plain = path.replace(/\/$/, '');
  if (prefix === '' || plain === prefix) return prefix === '' ? plain : '';
  return plain.startsWith(`${prefix}/`) ? plain.slice(prefix.length + 1) : undefined;
}
