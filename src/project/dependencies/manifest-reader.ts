import { lstatSync, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { entriesIn } from '../../base/files.ts';

import { RefusedFile, readRegularFile } from '../../base/open-regular-file.ts';
import { realPath, relativeWithin } from '../../base/paths.ts';

/** Limits of one {@link ManifestReader}. */
interface ManifestLimits {
  readonly fileBytes: number;
  /** Of all files together. */
  readonly totalBytes: number;
  readonly files: number;
  /** Entries of one list, such as the packages of a lock file. */
  readonly entries: number;
}

const mib = 1024 * 1024;

/** Lock files of large projects have about 1 MiB and 5,000 entries; a `pom.xml` has some KiB, but there are thousands. */
const defaultLimits: ManifestLimits = {
  fileBytes: 4 * mib,
  totalBytes: 64 * mib,
  files: 20_000,
  entries: 20_000,
};

/** Why dependencies are missing, as a clause, and what an agent can do about it. */
interface Reason {
  readonly reason: string;
  readonly next: string;
}

/** What an agent can do where dependencies are missing. */
export const insteadOfDependencies = 'Search the project for uses of the library with `search_for_pattern`';

/**
 * Reads the files that name the dependencies of one project. They may be hostile: each limit that is reached is recorded
 * for the answer, and what is beyond it counts as absent.
 */
export class ManifestReader {
  readonly #limits: ManifestLimits;
  readonly #reasons = new Set<string>();
  #bytes = 0;
  #files = 0;

  constructor(limits: ManifestLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** What was left out because of a limit. */
  get leftOut(): readonly Reason[] {
    return [...this.#reasons].map((reason) => ({ reason, next: insteadOfDependencies }));
  }

  /** Returns the text of a regular file below `root`, an absolute real path; `''` if it cannot be read or a link leads out. */
  textIn(root: string, path: string): string {
    const { fileBytes, totalBytes, files } = this.#limits;
    if (this.#files >= files || this.#bytes >= totalBytes) {
      this.leaveOut(`more than ${files} files or ${totalBytes / mib} MiB name them, and the others were not read`);
      return '';
    }
    this.#files++;
    try {
      const content = readRegularFile({ root, path, links: 'inside' }, fileBytes);
      this.#bytes += content.length;
      return content.toString('utf8');
    } catch (error) {
      if (error instanceof RefusedFile && error.reason === 'too-large')
        this.leaveOut(`\`${path.slice(-maxNameLength)}\` has more than ${fileBytes / mib} MiB and was not read`);
      return '';
    }
  }

  /** Returns the first entries of a list; `what` names them in the plural. */
  firstOf<T>(entries: Iterable<T>, what: string): T[] {
    const first: T[] = [];
    for (const entry of entries) {
      if (first.length >= this.#limits.entries) {
        this.leaveOut(`there are more than ${this.#limits.entries} ${what}, and the others were not read`);
        break;
      }
      first.push(entry);
    }
    return first;
  }

  /** Records a reason why dependencies may be missing, as a clause. */
  leaveOut(reason: string): void {
    this.#reasons.add(reason);
  }
}

/** Longer names are shortened in messages. */
const maxNameLength = 200;
const maxNamed = 5;

/** Returns why packages are missing: `reason` followed by their names. Nothing if there are none. */
export function missingPackages(names: readonly string[], reason: string, next: string): Reason[] {
  return names.length === 0 ? [] : [{ reason: `${reason} ${namedPackages(names)}`, next }];
}

/** Returns a list of packages for a sentence: the first few by name, the others as a number. */
export function namedPackages(names: readonly string[]): string {
  const more = names.length - maxNamed;
  const named = names.slice(0, maxNamed).map((name) => `\`${shortened(name)}\``);
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function shortened(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`;
}

/** Yields the lines of a text without their line breaks. */
export function* linesIn(text: string): Generator<string> {
  let from = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
    yield text.slice(from, text[end - 1] === '\r' && end > from ? end - 1 : end);
    from = end + 1;
  }
  yield text.slice(from);
}

/** Returns the real path of a directory, or `undefined` if there is none. */
export function realDirectory(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** True if an absolute path is a directory and contains no symbolic link. */
export function isPlainDirectory(path: string): boolean {
  return realDirectory(path) === path;
}

/** Returns the directories on `PATH` that are outside the project. */
export function programDirectories({ root, env }: { root: string; env: NodeJS.ProcessEnv }): string[] {
  const directories = (env.PATH ?? '').split(delimiter).filter((one) => isAbsolute(one));
  return directories.filter((one) => relativeWithin(root, realPath(one)) === undefined);
}

/** True if a path is a symbolic link, wherever it leads. */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Directories that a search for manifests enters, and their greatest depth. */
const maxEntered = 2_000;
const maxDepth = 5;
const neverEntered = ['node_modules', 'target', 'vendor', 'venv', '__pycache__'];

/**
 * Returns the relative paths of the directories at and below an absolute one that contain a file of this name, the outer
 * ones first. Follows no links, and enters no hidden directories and none with products of builds.
 */
export function directoriesWith(name: string, directory: string): string[] {
  const found: string[] = [];
  const pending = [''];
  for (let at = 0; at < pending.length && at < maxEntered; at++) {
    const path = pending[at] ?? '';
    const entries = entriesIn(join(directory, path));
    if (entries.some((entry) => entry.name === name && entry.isFile())) found.push(path);
    if (path.split('/').length > maxDepth) continue;
    const inner = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    const entered = inner.map((entry) => entry.name).filter((one) => !neverEntered.includes(one));
    // A hostile project may have more than a call takes arguments.
    for (const one of entered.sort().slice(0, maxEntered)) pending.push(path === '' ? one : `${path}/${one}`);
  }
  return found;
}
