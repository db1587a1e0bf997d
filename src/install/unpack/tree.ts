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
import { foldedPath } from '../../base/paths.ts';
import { badEntry, nameProblem, partsOf } from './entry-names.ts';

interface TreeLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export interface TreeOptions {
  /** The archive's name in messages. */
  readonly what: string;
  /** Absolute path of the target directory, which may contain other archives already. */
  readonly directory: string;
  /** Number of leading path components to strip. */
  readonly strip: number;
  /** Maps the path of a file, relative to the directory, to another one, or to `undefined` to skip the file. */
  readonly moveTo?: (path: string) => string | undefined;
  /** True if the file at this path, relative to the directory, is a program, whatever its mode in the archive. */
  readonly isProgram?: (path: string) => boolean;
  readonly limits?: TreeLimits;
}

/** An open file that an archive entry is written to. */
interface OpenFile {
  write(chunk: Uint8Array): void;
  close(): void;
}

const defaultLimits: TreeLimits = { maxEntries: 200_000, maxBytes: 4 * 2 ** 30 };

/**
 * Writes the entries of one archive below a directory. Checks every name before it writes the entry. Creates links
 * last, so that nothing is ever written through one.
 */
export class Tree {
  readonly #options: TreeOptions;
  readonly #limits: TreeLimits;
  /** Kind of each entry by its `foldedPath`. */
  readonly #kinds = new Map<string, 'file' | 'directory' | 'link'>();
  readonly #made = new Set<string>();
  readonly #links: { readonly path: string; readonly target: string; readonly name: string }[] = [];
  readonly #platform: NodeJS.Platform;
  #entries = 0;
  #bytes = 0;

  constructor(options: TreeOptions, platform = process.platform) {
    this.#platform = platform;
    this.#options = options;
    this.#limits = options.limits ?? defaultLimits;
    this.#makeDirectory(options.directory);
  }

  /** Number of bytes written so far. */
  get writtenBytes(): number {
    return this.#bytes;
  }

  /**
   * Checks and reserves the name of an entry. Returns its path relative to the directory, or `undefined` if the entry
   * is skipped.
   *
   * @throws {ExpectedError} `install.failed` for a name that is not allowed or already taken.
   */
  claim(name: string, kind: 'file' | 'directory' | 'link'): string | undefined {
    if (++this.#entries > this.#limits.maxEntries) {
      throw tooMuch(this.#options.what, `more than ${this.#limits.maxEntries} entries`);
    }
    const problem = nameProblem(name, { isDirectory: kind === 'directory' }, this.#platform);
    if (problem !== undefined) throw badEntry(this.#options.what, name, problem);
    const kept = partsOf(name.replace(/\/$/, '')).slice(this.#options.strip).join('/');
    if (kept === '') return undefined;
    const path = this.#options.moveTo === undefined || kind === 'directory' ? kept : this.#options.moveTo(kept);
    if (path === undefined) return undefined;
    const parts = path.split('/');
    for (const length of parts.keys())
      if (length > 0) this.#reserve(parts.slice(0, length).join('/'), 'directory', name);
    this.#reserve(path, kind, name);
    return path;
  }

  /** Creates a directory at a path returned by `claim`. */
  addDirectory(path: string): void {
    this.#makeDirectory(join(this.#options.directory, path));
  }

  /** Creates a file at a path returned by `claim`. */
  openFile(path: string, { isProgram }: { isProgram: boolean }): OpenFile {
    const full = join(this.#options.directory, path);
    this.#makeDirectory(dirname(full));
    // `wx`: an existing file belongs to another archive, or its name and this one are the same file on this system.
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

  /**
   * Records a symbolic link for `finish()`. @throws {ExpectedError} `install.failed` if it leads out of the directory.
   */
  addLink(path: string, target: string, name: string): void {
    const isUnsafe = target === '' || target.includes('\\') || target.includes('\0') || /^([a-z]:|\/)/i.test(target);
    const destination = posix.join(posix.dirname(path), target);
    if (isUnsafe || destination === '..' || destination.startsWith('../'))
      throw badEntry(this.#options.what, name, leadsOut);
    this.#links.push({ path, target, name });
  }

  /**
   * Unpacks a hard link: copies an earlier file to a path returned by `claim`.
   *
   * @throws {ExpectedError} `install.failed` if there is no such file.
   */
  addCopy(path: string, source: string, name: string): void {
    const kept =
      nameProblem(source, { isDirectory: false }, this.#platform) ?? partsOf(source).slice(this.#options.strip);
    const from = typeof kept === 'string' ? undefined : kept.join('/');
    if (from === undefined || this.#kinds.get(foldedPath(from)) !== 'file') {
      throw badEntry(this.#options.what, name, 'it is a link to a file that is not in the archive');
    }
    this.#makeDirectory(dirname(join(this.#options.directory, path)));
    copyFileSync(join(this.#options.directory, from), join(this.#options.directory, path));
  }

  /**
   * Creates the links, except dangling ones.
   *
   * @throws {ExpectedError} `install.failed` for a link that leads out of the directory, directly or through other
   *   links.
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
        log('install').debug(`Skipped \`${path}\` of ${this.#options.what}: it is a dangling link`);
        rmSync(full, { force: true });
      } else if (destination !== root && !destination.startsWith(root + sep)) {
        throw badEntry(this.#options.what, name, leadsOut);
      }
    }
    if (this.#platform === 'win32') for (const { path } of this.#links) replaceByCopy(join(directory, path));
  }

  #reserve(path: string, kind: 'file' | 'directory' | 'link', name: string): void {
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

/** Returns the error for an archive that exceeds a limit. */
export function tooMuch(what: string, amount: string): ExpectedError {
  return new ExpectedError('install.failed', `cannot unpack \`${what}\`: it contains ${amount}`);
}

/** Returns the real path of a link's destination, or `undefined` if the link is dangling or circular. */
function resolveLink(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Replaces a link by a copy: on Windows few users may create links, so a copied installation must not contain any. */
function replaceByCopy(link: string): void {
  const destination = resolveLink(link);
  if (destination === undefined) return;
  rmSync(link, { force: true });
  cpSync(destination, link, { recursive: true });
}
