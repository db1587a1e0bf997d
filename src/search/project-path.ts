import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ExpectedError, systemCode } from '../base/errors.ts';
import { relativeWithin } from '../base/paths.ts';
import { isOutOfDescriptors, outOfDescriptors, outsideProject } from './read-error.ts';

/** The root of a project, and the symbolic links that tools follow below it. */
export interface ProjectDirectory {
  /** Absolute path. */
  readonly root: string;
  /** Those that stay inside the project, or, in a project that the user trusts, any. */
  readonly links: 'inside' | 'any';
}

/** Longer than any path a supported system accepts. */
const maxPathChars = 4096;

/** As many symlinks in a row as Linux follows. */
const maxLinks = 40;

/**
 * Returns `path` as a path relative to the project root, with `/` and without `./`; the root itself is `''`. `path` is
 * relative to the root or absolute, and need not exist.
 *
 * @throws {ExpectedError} `file.outside-project` if the path leaves the project by `..`, as an absolute path or, where the
 * project is not trusted, through a symlink; `tool.invalid-input` if no file can have that name; `file.unreadable`.
 */
export function resolveInProject({ root, links }: ProjectDirectory, path: string): string {
  if (path.includes('\0')) {
    throw new ExpectedError('tool.invalid-input', 'Cannot use the path: it contains a NUL character');
  }
  if (path.length > maxPathChars) {
    const message = `Cannot use the path \`${path.slice(0, 60)}…\`: it has ${path.length} characters, the limit is ${maxPathChars}`;
    throw new ExpectedError('tool.invalid-input', message);
  }
  const realRoot = realRootOf(root);
  const relative = relativeWithin(root, path) ?? relativeWithin(realRoot, path);
  if (relative === undefined) throw outsideProject(root, path);
  const target = leadsTo(resolve(root, relative), path);
  if (links === 'any' || target === undefined || relativeWithin(realRoot, target) !== undefined) return relative;
  throw outsideProject(root, path, target);
}

/** Returns the absolute `root` with its links resolved. */
export function realRootOf(root: string): string {
  try {
    return realpathSync(root);
  } catch (error) {
    if (isOutOfDescriptors(error)) throw outOfDescriptors(`Cannot open the project \`${root}\``, error);
    return root;
  }
}

/**
 * Returns where an absolute path leads once its symlinks are resolved. Of a path that does not exist yet, the part
 * that does is resolved; a link to something that does not exist leads there all the same. `undefined` for a circle.
 */
function leadsTo(path: string, asked: string, linksLeft = maxLinks): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    // Bun opens a file to resolve its path, and without this check the directories above it would be tried up to `/`.
    if (isOutOfDescriptors(error)) throw outOfDescriptors(`Cannot resolve the path \`${asked}\``, error);
    if (systemCode(error) === 'ELOOP' || linksLeft === 0) return undefined;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const link = linkAt(path);
  return link === undefined ? leadsTo(parent, asked, linksLeft) : leadsTo(resolve(parent, link), asked, linksLeft - 1);
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
