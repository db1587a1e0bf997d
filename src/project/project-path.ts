import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ExpectedError, systemCode } from '../base/errors.ts';
import { relativeWithin } from '../base/paths.ts';

/** Longer than any path a supported system accepts. */
const maxPathChars = 4096;

/** As many symlinks in a row as Linux follows. */
const maxLinks = 40;

/**
 * Returns `path` as a path relative to the project root, with `/` and without `./`; the root itself is `''`. `path` is
 * relative to the root or absolute, and need not exist. `root` is absolute.
 *
 * @throws {ExpectedError} `file.outside-project` if the path leaves the project by `..`, as an absolute path or through
 * a symlink; `tool.invalid-input` if no file can have that name.
 */
export function resolveInProject(root: string, path: string): string {
  if (path.includes('\0')) {
    throw new ExpectedError('tool.invalid-input', 'Cannot use the path: it contains a NUL character');
  }
  if (path.length > maxPathChars) {
    const message = `Cannot use the path \`${path.slice(0, 60)}…\`: it has ${path.length} characters, the limit is ${maxPathChars}`;
    throw new ExpectedError('tool.invalid-input', message);
  }
  const realRoot = realRootOf(root);
  const relative = relativeWithin(root, path) ?? relativeWithin(realRoot, path);
  if (relative === undefined) throw outside(root, path);
  const target = leadsTo(resolve(root, relative));
  if (target !== undefined && relativeWithin(realRoot, target) === undefined) throw outside(root, path, target);
  return relative;
}

function outside(root: string, path: string, target?: string): ExpectedError {
  const detail = target === undefined ? '' : `: a symlink leads to \`${target}\``;
  return new ExpectedError('file.outside-project', `The path \`${path}\` is outside the project \`${root}\`${detail}`, {
    hints: [
      'Pass a path inside the project, relative to its root',
      'Call `activate_project` with the folder that contains the file to work there',
    ],
  });
}

function realRootOf(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}

/**
 * Returns where an absolute path leads once its symlinks are resolved. Of a path that does not exist yet, the part
 * that does is resolved; a link to something that does not exist leads there all the same. `undefined` for a circle.
 */
function leadsTo(path: string, linksLeft = maxLinks): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (systemCode(error) === 'ELOOP' || linksLeft === 0) return undefined;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const link = linkAt(path);
  return link === undefined ? leadsTo(parent, linksLeft) : leadsTo(resolve(parent, link), linksLeft - 1);
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
