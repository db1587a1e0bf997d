import { closeSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { tryStat } from '../base/file-state.ts';
import { type LinkRule, openRegularFile, RefusedFile, type RootedPath, readAll } from '../base/open-regular-file.ts';
import { realPathIfExists, relativeWithin } from '../base/paths.ts';

/** A directory of memories. It may not exist. */
export interface MemoryDirectory {
  /** Absolute path. */
  readonly path: string;
  /** Absolute real path of the directory that links must stay in under the rule `inside`. */
  readonly root: string;
  /** Path of the directory relative to `root`. */
  readonly relative: string;
  readonly links: LinkRule;
}

/** A memory's file. It may not exist. */
export interface MemoryFile {
  /** Absolute path. */
  readonly path: string;
  readonly place: RootedPath;
}

export interface MemoryFileList {
  /** Paths relative to the directory, with `/`, unsorted. */
  readonly files: string[];
  /** Reasons why files may be missing, as clauses. */
  readonly problems: string[];
}

/** More than any real collection of memories; a link may lead to a directory as large as a disk. */
const maxEntries = 20_000;

/** More than any real memory. */
const maxMemoryBytes = 16 * 1024 * 1024;

/** Returns the file at a path, with `/`, below a directory of memories. */
export function memoryFile(directory: MemoryDirectory, path: string): MemoryFile {
  const { root, relative, links } = directory;
  return { path: join(directory.path, path), place: { root, path: join(relative, path), links } };
}

/**
 * Returns the `.md` files at `below`, a path with `/`, in a directory of memories; none if it does not exist. Links are
 * followed as far as the directory's rule allows, for example to shared memories. A link to a file counts if its target
 * is a `.md` file, too.
 */
export function findMemoryFiles(directory: MemoryDirectory, below = ''): MemoryFileList {
  const search = { directory, files: [], problems: [], entriesLeft: maxEntries };
  visit(search, { path: join(directory.path, below), prefix: '', above: new Set() });
  return search;
}

interface Search extends MemoryFileList {
  readonly directory: MemoryDirectory;
  entriesLeft: number;
}

function visit(search: Search, directory: { path: string; prefix: string; above: ReadonlySet<string> }): void {
  const real = realPathIfExists(directory.path);
  // A link to an ancestor directory would never end.
  if (real === undefined || directory.above.has(real)) return;
  if (!mayLeadTo(real, search.directory)) {
    search.problems.push(`the link \`${directory.path}\` leads out of the project, which is not trusted`);
    return;
  }
  const above = new Set([...directory.above, real]);
  for (const name of entriesOf(directory.path, search)) {
    if (search.entriesLeft-- === 0)
      search.problems.push(`the directory has more than ${maxEntries} files and directories`);
    if (search.entriesLeft < 0) return;
    const path = join(directory.path, name);
    const stats = tryStat(path);
    if (stats?.isDirectory()) visit(search, { path, prefix: `${directory.prefix}${name}/`, above });
    else if (stats?.isFile() && name.endsWith('.md') && isMemory(path, search))
      search.files.push(directory.prefix + name);
  }
}

function entriesOf(directory: string, { problems }: MemoryFileList): string[] {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    if (systemCode(error) !== 'ENOTDIR') problems.push(`the directory \`${directory}\` could not be read`);
    return [];
  }
}

/** True if a file may be read as a memory. A repository must not expose a file of the user by a link to it. */
function isMemory(path: string, { directory, problems }: Search): boolean {
  const real = realPathIfExists(path);
  if (real === undefined || !real.endsWith('.md')) return false;
  if (mayLeadTo(real, directory)) return true;
  problems.push(`the link \`${path}\` leads out of the project, which is not trusted`);
  return false;
}

function mayLeadTo(real: string, { root, links }: MemoryDirectory): boolean {
  return links === 'any' || relativeWithin(root, real) !== undefined;
}

/**
 * Returns the bytes of a memory's file, or `undefined` if it does not exist.
 *
 * @throws {ExpectedError} `memory.bad-name` for a link to a file that is not `.md`; `file.outside-project` for a link
 *   out of an untrusted project; `file.no-permission`, `file.unreadable`.
 */
export function readMemoryFile({ path, place }: MemoryFile): Buffer | undefined {
  try {
    const { fd, stats, realPath: real } = openRegularFile(place);
    try {
      if (!real.endsWith('.md')) throw notMarkdown(path);
      return readAll(fd, stats.size, maxMemoryBytes);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    if (error instanceof ExpectedError) throw error;
    throw unreadable(path, error);
  }
}

function notMarkdown(path: string): ExpectedError {
  const problem = 'it is a link to a file without the extension `.md`';
  return new ExpectedError('memory.bad-name', `cannot use the memory file \`${path}\`: ${problem}`, {
    hints: ['ask the user to replace the link with the file itself'],
  });
}

function unreadable(path: string, error: unknown): ExpectedError {
  const message = `cannot read the memory file \`${path}\`: ${messageOf(error)}`;
  if (error instanceof RefusedFile && (error.reason === 'outside' || error.reason === 'link')) {
    return new ExpectedError('file.outside-project', message, {
      hints: [
        'ask the user to replace the link with the file itself',
        'if the user trusts the project, ask them to add its path to `trusted_project_path_patterns` in `serena_config.yml`',
      ],
      cause: error,
    });
  }
  const isForbidden = systemCode(error) === 'EACCES' || systemCode(error) === 'EPERM';
  return new ExpectedError(isForbidden ? 'file.no-permission' : 'file.unreadable', message, { cause: error });
}
