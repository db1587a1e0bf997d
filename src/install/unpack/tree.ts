import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { ExpectedError, systemCode } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { badEntry, foldedPath, nameProblem, partsOf } from './entry-names.ts';

/** What an archive may hold. */
export interface TreeLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export interface TreeOptions {
  /** The archive's name in messages. */
  readonly what: string;
  /** Absolute; a directory of ours, empty or with other archives in it. */
  readonly directory: string;
  /** Directories at the top that are left away. */
  readonly strip: number;
  /** Returns where a file goes instead, relative to the directory, or `undefined` to leave it away. */
  readonly moveTo?: (path: string) => string | undefined;
  /** Whether a file is a program whatever the archive says of it; of the path relative to the directory. */
  readonly isProgram?: (path: string) => boolean;
  readonly limits?: TreeLimits;
}

/** A file of an archive that is being written. */
export interface OpenFile {
  write(chunk: Uint8Array): void;
  close(): void;
}

const defaultLimits: TreeLimits = { maxEntries: 200_000, maxBytes: 4 * 2 ** 30 };

/**
 * The files of one archive as they are written below a directory. Every name is checked before anything of its entry is
 * written. Links are made when all else is there, so that nothing is ever written through one.
 */
export class Tree {
  readonly #options: TreeOptions;
  readonly #limits: TreeLimits;
  /** What each path, in letters of one case, is. */
  readonly #kinds = new Map<string, 'file' | 'directory' | 'link'>();
  readonly #made = new Set<string>();
  readonly #links: { readonly path: string; readonly target: string; readonly name: string }[] = [];
  #entries = 0;
  #bytes = 0;

  constructor(options: TreeOptions) {
    this.#options = options;
    this.#limits = options.limits ?? defaultLimits;
    this.#makeDirectory(options.directory);
  }

  /** How many bytes have been written. */
  get writtenBytes(): number {
    return this.#bytes;
  }

  /**
   * Checks the name of an entry and takes its place, and returns its path relative to the directory; `undefined` where it is
   * left away.
   *
   * @throws {ExpectedError} `install.failed` for a name that is refused or taken.
   */
  claim(name: string, kind: 'file' | 'directory' | 'link'): string | undefined {
    if (++this.#entries > this.#limits.maxEntries) {
      throw tooMuch(this.#options.what, `more than ${this.#limits.maxEntries} entries`);
    }
    const problem = nameProblem(name, { isDirectory: kind === 'directory' });
    if (problem !== undefined) throw badEntry(this.#options.what, name, problem);
    const kept = partsOf(name.replace(/\/$/, '')).slice(this.#options.strip).join('/');
    if (kept === '') return undefined;
    const path = this.#options.moveTo === undefined || kind === 'directory' ? kept : this.#options.moveTo(kept);
    if (path === undefined) return undefined;
    const parts = path.split('/');
    for (const length of parts.keys()) if (length > 0) this.#take(parts.slice(0, length).join('/'), 'directory', name);
    this.#take(path, kind, name);
    return path;
  }

  /** Makes a directory that `claim` has returned. */
  addDirectory(path: string): void {
    this.#makeDirectory(join(this.#options.directory, path));
  }

  /** Begins a file that `claim` has returned. */
  openFile(path: string, { isProgram }: { isProgram: boolean }): OpenFile {
    const full = join(this.#options.directory, path);
    this.#makeDirectory(dirname(full));
    // `wx`: what is there already is another archive's, or the same under a spelling that this system does not tell apart.
    const file = openSync(full, 'wx', isProgram || this.#options.isProgram?.(path) ? 0o755 : 0o644);
    return {
      write: (chunk) => {
        this.#bytes += chunk.length;
        if (this.#bytes > this.#limits.maxBytes) {
          throw tooMuch(this.#options.what, `more than ${this.#limits.maxBytes} bytes`);
        }
        let written = 0;
        while (written < chunk.length) written += writeSync(file, chunk, written);
      },
      close: () => closeSync(file),
    };
  }

  /** Notes a symbolic link that `claim` has returned. @throws {ExpectedError} `install.failed` if it leads out. */
  addLink(path: string, target: string, name: string): void {
    const isUnsafe = target === '' || target.includes('\\') || target.includes('\0') || /^([a-z]:|\/)/i.test(target);
    const destination = posix.join(posix.dirname(path), target);
    if (isUnsafe || destination === '..' || destination.startsWith('../'))
      throw badEntry(this.#options.what, name, leadsOut);
    this.#links.push({ path, target, name });
  }

  /**
   * Copies a file that was written earlier to a path that `claim` has returned: what a hard link in an archive means.
   *
   * @throws {ExpectedError} `install.failed` where there is no such file.
   */
  addCopy(path: string, source: string, name: string): void {
    const kept = nameProblem(source, { isDirectory: false }) ?? partsOf(source).slice(this.#options.strip);
    const from = typeof kept === 'string' ? undefined : kept.join('/');
    if (from === undefined || this.#kinds.get(foldedPath(from)) !== 'file') {
      throw badEntry(this.#options.what, name, 'it is a link to what is no file of the archive');
    }
    this.#makeDirectory(dirname(join(this.#options.directory, path)));
    copyFileSync(join(this.#options.directory, from), join(this.#options.directory, path));
  }

  /**
   * Makes the links. One that points at nothing is left away.
   *
   * @throws {ExpectedError} `install.failed` for one that leads out of the directory, maybe through others.
   */
  finish(): void {
    const root = realpathSync(this.#options.directory);
    const { directory } = this.#options;
    for (const { path, target } of this.#links) {
      this.#makeDirectory(dirname(join(directory, path)));
      symlinkSync(target, join(directory, path));
    }
    for (const { path, name } of this.#links) {
      const full = join(directory, path);
      const destination = resolveLink(full);
      if (destination === undefined) {
        log('install').debug(`Left away \`${path}\` of ${this.#options.what}: it links to nothing`);
        rmSync(full, { force: true });
      } else if (destination !== root && !destination.startsWith(root + sep)) {
        throw badEntry(this.#options.what, name, leadsOut);
      }
    }
    if (process.platform === 'win32') for (const { path } of this.#links) replaceByCopy(join(directory, path));
  }

  #take(path: string, kind: 'file' | 'directory' | 'link', name: string): void {
    const key = foldedPath(path);
    const taken = this.#kinds.get(key);
    if (taken === undefined) this.#kinds.set(key, kind);
    else if (taken !== 'directory' || kind !== 'directory') {
      throw badEntry(this.#options.what, name, 'another entry has the same name');
    }
  }

  #makeDirectory(path: string): void {
    if (!this.#made.has(path)) mkdirSync(path, { recursive: true });
    this.#made.add(path);
  }
}

const leadsOut = 'it is a link that leads out of the archive';

/** Returns the error for an archive that holds more than anything real does. */
export function tooMuch(what: string, amount: string): ExpectedError {
  return new ExpectedError('install.failed', `Cannot unpack \`${what}\`: it holds ${amount}`);
}

/** Returns the real path that a link ends at, or `undefined` where that is nothing. */
function resolveLink(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Links take a right on Windows that few users have where the directory is used. */
function replaceByCopy(link: string): void {
  const destination = resolveLink(link);
  if (destination === undefined) return;
  rmSync(link, { force: true });
  cpSync(destination, link, { recursive: true });
}
