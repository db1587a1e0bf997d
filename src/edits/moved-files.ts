import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { ExpectedError } from '../base/errors.ts';
import { isSamePath } from '../base/paths.ts';
import { type ProjectDirectory, resolveInProject } from '../search/project-path.ts';
import { readError } from '../search/read-error.ts';
import { removeEmptyDirectory } from './make-directories.ts';

/** A move of a file or of all files of a directory. Paths are project-relative with `/`. */
export interface PathsMove {
  readonly from: string;
  readonly to: string;
  readonly isDirectory: boolean;
  /** The files, by their old and new paths. */
  readonly files: readonly { readonly from: string; readonly to: string }[];
  /** The old directories, inner ones first. */
  readonly directories: readonly string[];
}

/** All of them are read before the first one is written. */
const maxFiles = 2_000;

/**
 * Returns what a move of the file or directory `from` to the path `to` moves. Reads no contents, and changes nothing.
 *
 * @throws {ExpectedError} `file.not-found`; `file.outside-project`; `file.exists` if something is at `to`;
 *   `edit.refused` for symbolic links, repositories, a move of a directory into itself, and too many files.
 */
export function planMove(project: ProjectDirectory, paths: { from: string; to: string }): PathsMove {
  const from = resolveInProject(project, paths.from);
  const to = resolveInProject(project, paths.to);
  const stats = statOf(project, from);
  if (from === '' || to === '') throw refused(paths.from, 'the root of the project cannot be moved or replaced');
  if (stats.isSymbolicLink()) throw refused(from, 'it is a symbolic link');
  if (to === from && isOtherSpelling(paths.to, from)) throw ignoresCase(from, paths.to);
  if (to === from) throw refused(from, 'the new path is the old one');
  requireFree(project, { from, to, stats });
  if (!stats.isDirectory()) return { from, to, isDirectory: false, files: [{ from, to }], directories: [] };
  if (to.startsWith(`${from}/`)) throw refused(from, `\`${to}\` is inside it`);
  const found = filesBelow(project, from);
  const files = found.files.map((file) => ({ from: file, to: to + file.slice(from.length) }));
  if (files.length === 0) throw refused(from, 'it contains no files');
  return { from, to, isDirectory: true, files, directories: found.directories };
}

/** Removes those of the old directories of a move that are empty now. Never throws. */
export function removeEmptied({ root }: ProjectDirectory, { directories }: PathsMove): void {
  for (const directory of directories) removeEmptyDirectory(join(root, directory));
}

function requireFree({ root }: ProjectDirectory, move: { from: string; to: string; stats: Stats }): void {
  const { from, to, stats } = move;
  const there = lstatSync(join(root, to), { throwIfNoEntry: false });
  if (there === undefined) return;
  if (there.ino === stats.ino && there.dev === stats.dev && isSamePath(from, to)) throw ignoresCase(from, to);
  const hints = there.isDirectory()
    ? [`to move it into that directory, pass a path such as \`${to}/${from.slice(from.lastIndexOf('/') + 1)}\``]
    : ['choose another path, or remove that file first'];
  throw new ExpectedError('file.exists', `\`${to}\` already exists`, { hints });
}

/** True if the last part of a path as typed is that of `path` in another case or normalization. */
function isOtherSpelling(typed: string, path: string): boolean {
  const [a, b] = [basename(typed), basename(path)];
  return a !== b && isSamePath(a, b);
}

function ignoresCase(from: string, to: string): ExpectedError {
  const message = `cannot rename \`${from}\`: the file system ignores case, so \`${to}\` is it`;
  return new ExpectedError('edit.refused', message, {
    hints: ['rename it to another name first, then to the one you want'],
  });
}

function filesBelow({ root }: ProjectDirectory, top: string): { files: string[]; directories: string[] } {
  const files: string[] = [];
  const directories: string[] = [];
  const visit = (directory: string) => {
    for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
      const path = `${directory}/${entry.name}`;
      if (entry.name === '.git') throw refused(top, `\`${path}\` is a Git repository`);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) files.push(path);
      else throw refused(top, `\`${path}\` is ${entry.isSymbolicLink() ? 'a symbolic link' : 'not a regular file'}`);
      if (files.length > maxFiles) throw refused(top, `it contains more than ${maxFiles} files`);
    }
    directories.push(directory);
  };
  visit(top);
  return { files: files.sort(), directories };
}

function statOf({ root }: ProjectDirectory, path: string): Stats {
  try {
    return lstatSync(join(root, path));
  } catch (error) {
    throw readError(path, error);
  }
}

function refused(path: string, reason: string): ExpectedError {
  return new ExpectedError('edit.refused', `cannot move \`${path}\`: ${reason}; nothing was changed`);
}
