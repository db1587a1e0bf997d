import { dirname, isAbsolute } from 'node:path';
import { relativeWithin } from '../base/paths.ts';

export interface CommitScope {
  /** Absolute path; relative paths of steps start there. */
  readonly root: string;
  /**
   * Absolute path of the directory for locks and journals, which only the user can write and which is in no project.
   */
  readonly directory: string;
  /** True if an edit may change the file. The path is absolute and has no symbolic links. */
  mayChange(target: string): boolean;
  /** True if recovery may change the file to finish an interrupted edit. */
  mayRecover(target: string): boolean;
}

/** The directories of a project that decide what its edits may change. */
export interface ProjectDirectories {
  /** Absolute path without symbolic links. */
  readonly root: string;
  readonly directory: string;
  /** True if edits may follow links out of the project. */
  readonly mayLeave: boolean;
}

export function projectScope({ root, directory, mayLeave }: ProjectDirectories): CommitScope {
  const isInside = (target: string) => (relativeWithin(root, target) ?? '') !== '';
  return {
    root,
    directory,
    mayChange: (target) => mayLeave || isInside(target),
    mayRecover: (target) =>
      isAbsolute(target) && (mayLeave || isInside(target)) && !isProtected(relativeWithin(root, target) ?? target),
  };
}

/** Returns the scope of edits to memories, which are stored in projects and in the user's home directory. */
export function memoryScope(directory: string): CommitScope {
  const isMemory = (target: string) =>
    isAbsolute(target) && target.endsWith('.md') && !partsOf(target).some(isRepository);
  return { root: dirname(directory), directory, mayChange: isMemory, mayRecover: isMemory };
}

/**
 * True for a path (project-relative, or absolute outside the project) in a Git repository's data or in `.serena`,
 * except for memories. These files decide what programs of the user do, so recovery never changes them.
 */
function isProtected(path: string): boolean {
  const parts = partsOf(path);
  const data = parts.findIndex((part) => part.toLowerCase() === '.serena');
  return parts.some(isRepository) || (data !== -1 && parts[data + 1] !== 'memories');
}

function partsOf(path: string): string[] {
  return path.split(/[\\/]/);
}

/** True for `.git`, also under the other names by which some file systems find it. */
function isRepository(part: string): boolean {
  return /^(?:\.git|git~\d+)$/i.test(part.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]|[. ]+$/g, ''));
}
