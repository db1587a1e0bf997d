import { dirname } from 'node:path/posix';
import { resolveRoot, type SymbolScope } from '../model/scope.ts';

/** The source files of a directory: paths of those directly in it, and their number by subdirectory. */
export interface DirectorySources {
  readonly files: readonly string[];
  readonly below: Readonly<Record<string, number>>;
}

/**
 * Returns the source files of a directory that are not ignored, sorted by path; `undefined` for a file.
 *
 * @throws {ExpectedError} `file.*`.
 */
export async function directorySources(
  scope: SymbolScope,
  relativePath: string,
): Promise<DirectorySources | undefined> {
  const { path, isFile } = await resolveRoot(scope, relativePath);
  if (isFile) return undefined;
  const { project, sources } = scope.files;
  const walk = { under: path, extensions: sources.extensions, pruneDirectories: sources.prunedDirectories };
  const found = await project.scanner.listFiles(walk, scope.call.signal);
  const claimed = found.map((file) => file.path).filter((file) => sources.serverOf(file) !== undefined);
  const isDirect = (file: string) => dirname(file) === (path === '' ? '.' : path);
  const prefix = path === '' ? '' : `${path}/`;
  const below = new Map<string, number>();
  for (const file of claimed) {
    if (isDirect(file)) continue;
    const directory = file.slice(0, file.indexOf('/', prefix.length));
    below.set(directory, (below.get(directory) ?? 0) + 1);
  }
  return { files: claimed.filter(isDirect).sort(), below: Object.fromEntries(below) };
}
