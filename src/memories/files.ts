import { readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';

/** The memory files below a folder. */
export interface FoundFiles {
  /** Paths below the folder, with `/`, in no order. */
  readonly files: string[];
  /** Why some may be missing, a clause each. */
  readonly problems: string[];
}

/** A link may lead to a folder as large as a whole disk; nobody has as many memories. */
const maxEntries = 20_000;

/**
 * Returns the `.md` files below the folder at an absolute path; none where there is no such folder. Links are followed: a
 * folder of shared memories may be linked in. A link to a file counts if that is a `.md` file too.
 */
export function findMemoryFiles(folder: string): FoundFiles {
  const search = { files: [], problems: [], entriesLeft: maxEntries };
  visit(search, { path: folder, prefix: '', above: new Set() });
  return search;
}

function visit(
  search: FoundFiles & { entriesLeft: number },
  folder: { path: string; prefix: string; above: ReadonlySet<string> },
): void {
  const real = realPath(folder.path);
  // A link to a folder above it has no end.
  if (real === undefined || folder.above.has(real)) return;
  const above = new Set([...folder.above, real]);
  for (const name of entriesOf(folder.path, search)) {
    if (search.entriesLeft-- === 0) search.problems.push(`there are more than ${maxEntries} files and folders`);
    if (search.entriesLeft < 0) return;
    const path = join(folder.path, name);
    const stats = statsOf(path);
    if (stats?.isDirectory()) visit(search, { path, prefix: `${folder.prefix}${name}/`, above });
    else if (stats?.isFile() && name.endsWith('.md') && leadsToMarkdown(path)) search.files.push(folder.prefix + name);
  }
}

function entriesOf(folder: string, { problems }: FoundFiles): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (systemCode(error) !== 'ENOTDIR') problems.push(`the folder \`${folder}\` could not be read`);
    return [];
  }
}

/**
 * Returns the bytes of the memory file at an absolute path, or `undefined` where there is none.
 *
 * @throws {ExpectedError} `memory.bad-name` for a link to something else; `file.no-permission`, `file.unreadable`.
 */
export function readMemoryFile(path: string): Buffer | undefined {
  if (!leadsToMarkdown(path)) {
    const problem = 'it is a link to a file of another kind';
    throw new ExpectedError('memory.bad-name', `Cannot use the memory file \`${path}\`: ${problem}`, {
      hints: ['Ask the user to replace the link by the file itself'],
    });
  }
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  try {
    // Opening a pipe would wait for ever.
    if (!stats.isFile()) throw new Error('it is no regular file');
    return readFileSync(path);
  } catch (error) {
    const isForbidden = systemCode(error) === 'EACCES' || systemCode(error) === 'EPERM';
    const code = isForbidden ? 'file.no-permission' : 'file.unreadable';
    throw new ExpectedError(code, `Cannot read the memory file \`${path}\`: ${messageOf(error)}`, { cause: error });
  }
}

/** A repository must not make a memory of any file of the user's by linking to it. What is not there leads nowhere else. */
function leadsToMarkdown(path: string): boolean {
  return (realPath(path) ?? path).endsWith('.md');
}

/** Returns the real path of what is at an absolute path, or `undefined` where nothing can be reached by it. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
