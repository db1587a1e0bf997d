import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { attempt } from '../base/attempt.ts';
import { ExpectedError, systemCode } from '../base/errors.ts';
import { isSamePath, relativeWithin } from '../base/paths.ts';
import { windowsPathProblem } from '../base/windows-names.ts';
import { isIdeAddress, parseDependencyAddress, readOnlyLibrary } from './dependency-address.ts';
import { isOutOfDescriptors, outOfDescriptors, outsideProject } from './read-error.ts';

/** The root of a project, and which symbolic links tools follow below it. */
export interface ProjectDirectory {
  /** Absolute path. */
  readonly root: string;
  /** Links that stay inside the project or, in a trusted project, any. */
  readonly links: 'inside' | 'any';
}

/** Longer than any path a supported system accepts. */
const maxPathChars = 4096;

/** Maximum number of consecutive symbolic links, the same as in Linux. */
const maxLinks = 40;

/**
 * Returns `path` relative to the project root, with `/`, without `./`, and as the file system spells it; the root itself
 * is `''`. `path` is relative to the root or absolute, and need not exist.
 *
 * @throws {ExpectedError} `file.outside-project` if the path leaves the project by `..`, as an absolute path or, in an
 * untrusted project, through a symbolic link, or is the address of a library; `tool.invalid-input` for an impossible
 * file name, on Windows also for one that means another file; `file.unreadable`.
 */
export function resolveInProject({ root, links }: ProjectDirectory, path: string, platform = process.platform): string {
  if (path.includes('\0')) {
    throw new ExpectedError('tool.invalid-input', 'cannot use the path: it contains a NUL character');
  }
  if (path.length > maxPathChars) {
    const message = `cannot use the path \`${path.slice(0, 60)}…\`: it has ${path.length} characters, the limit is ${maxPathChars}`;
    throw new ExpectedError('tool.invalid-input', message);
  }
  if (isIdeAddress(path) || parseDependencyAddress(path) !== undefined) throw readOnlyLibrary(path);
  const realRoot = realRootOf(root);
  const relative = relativeWithin(root, path) ?? relativeWithin(realRoot, path);
  if (relative === undefined) throw outsideProject(root, path);
  const problem = windowsPathProblem(relative, platform);
  if (problem !== undefined) throw impossible(path, problem);
  const target = resolveLinks(resolve(root, relative), path);
  const isInside = target !== undefined && relativeWithin(realRoot, target) !== undefined;
  if (links === 'inside' && target !== undefined && !isInside) throw outsideProject(root, path, target);
  // On Linux file systems that ignore case are rare, and this is asked for every location in an answer.
  if (!isInside || platform === 'linux') return relative;
  return spelledAs(onDisk(realRoot, target), relative, (part) => linkAt(resolve(root, part)) !== undefined);
}

/** Returns the path from `root` to `path` as the file system spells it. Both are absolute and exist. */
function onDisk(root: string, path: string): string {
  try {
    // Unlike the others, the system's own function corrects the case on Windows.
    return relativeWithin(realpathSync.native(root), realpathSync.native(path)) ?? '';
  } catch {
    return '';
  }
}

/**
 * Returns `path` as the file system spells it. `real` is its existing part with links resolved; it differs in case or
 * normalization where the file system ignores them, so that one file has one path.
 */
export function spelledAs(real: string, path: string, isLink: (path: string) => boolean): string {
  const parts = path.split('/');
  const count = real.split('/').length;
  const existing = parts.slice(0, count);
  if (existing.join('/') === real || !isSamePath(existing.join('/'), real)) return path;
  // A link is not another spelling of a target whose name differs in case alone.
  if (existing.some((_, index) => isLink(existing.slice(0, index + 1).join('/')))) return path;
  return [real, ...parts.slice(count)].join('/');
}

/** Returns the absolute `root` with its links resolved. */
export function realRootOf(root: string): string {
  try {
    return realpathSync(root);
  } catch (error) {
    if (isOutOfDescriptors(error)) throw outOfDescriptors(`cannot open the project \`${root}\``, error);
    return root;
  }
}

/**
 * Resolves the symbolic links of an absolute path. If the path does not exist yet, its existing part is resolved; a
 * link to a missing target is resolved as well. `undefined` for a circle of links. `requested` is the path for
 * messages.
 */
function resolveLinks(path: string, requested: string, linksLeft = maxLinks): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    // Bun opens a file to resolve its path; without this check all directories above it would be tried up to `/`.
    if (isOutOfDescriptors(error)) throw outOfDescriptors(`cannot resolve the path \`${requested}\``, error);
    if (systemCode(error) === 'ELOOP' || linksLeft === 0) return undefined;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const link = linkAt(path);
  return link === undefined
    ? resolveLinks(parent, requested, linksLeft)
    : resolveLinks(resolve(parent, link), requested, linksLeft - 1);
}

function linkAt(path: string): string | undefined {
  return attempt(() => (lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined), undefined);
}

function impossible(path: string, problem: string): ExpectedError {
  return new ExpectedError('tool.invalid-input', `cannot use the path \`${path}\`: ${problem}`, {
    hints: ['choose another name'],
  });
}
