import { dirname, isAbsolute } from 'node:path';
import { relativeWithin } from '../base/paths.ts';

/** The files that edits may change together, and where their journals are kept. */
export interface CommitScope {
  /** Absolute path that relative paths of steps start from. */
  readonly root: string;
  /** Absolute path of the directory for locks and journals: the user's own, and never in a project. */
  readonly directory: string;
  /** True if an edit may change the file at an absolute path without symbolic links. */
  mayChange(target: string): boolean;
  /** True if an interrupted edit may be finished there. */
  mayRecover(target: string): boolean;
}

/** A scope for the files of one project. */
export interface ProjectPlace {
  /** Absolute path without symbolic links. */
  readonly root: string;
  readonly directory: string;
  /** True if links may lead edits out of the project. */
  readonly mayLeave: boolean;
}

/** Returns the scope of edits to a project's files. */
export function projectScope({ root, directory, mayLeave }: ProjectPlace): CommitScope {
  const isInside = (target: string) => (relativeWithin(root, target) ?? '') !== '';
  return {
    root,
    directory,
    mayChange: (target) => mayLeave || isInside(target),
    mayRecover: (target) =>
      isAbsolute(target) && (mayLeave || isInside(target)) && !isProtected(relativeWithin(root, target) ?? target),
  };
}

/** Returns the scope of edits to memories, which lie in projects and in the user's home directory. */
export function memoryScope(directory: string): CommitScope {
  const isMemory = (target: string) =>
    isAbsolute(target) && target.endsWith('.md') && !partsOf(target).some(isRepository);
  return { root: dirname(directory), directory, mayChange: isMemory, mayRecover: isMemory };
}

/**
 * True for a path, relative to a project or absolute outside it, that decides what programs of the user do: repositories, and the data of this
 * program except for memories. An edit of it is never finished by somebody else.
 */
function isProtected(path: string): boolean {
  const parts = partsOf(path);
  const data = parts.findIndex((part) => part.toLowerCase() === '.serena');
  return parts.some(isRepository) || (data !== -1 && parts[data + 1] !== 'memories');
}

function partsOf(path: string): string[] {
  return path.split(/[\\/]/);
}

/** Some file systems find `.git` by other names. */
function isRepository(part: string): boolean {
  return /^(?:\.git|git~\d+)$/i.test(part.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]|[. ]+$/g, ''));
}
