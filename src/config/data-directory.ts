import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ExpectedError } from '../base/errors.ts';
import { expandTilde, homePaths } from '../base/home.ts';
import { linkedRepository } from '../base/linked-repository.ts';
import type { LinkRule, RootedPath } from '../base/open-regular-file.ts';
import { realPath, relativeWithin } from '../base/paths.ts';

/** The directory in which a project keeps its configuration and memories. */
export interface DataDirectory {
  /** Absolute path. */
  readonly path: string;
  /**
   * Absolute, real path of the directory that links of an untrusted project must not leave: usually the project root.
   */
  readonly root: string;
  /** Path of the data directory relative to `root`. */
  readonly relative: string;
  readonly links: LinkRule;
}

/** Returns the place of a file, given by its path relative to the data directory, for `openRegularFile`. */
export function placeIn({ root, relative, links }: DataDirectory, path: string): RootedPath {
  return { root, path: join(relative, path), links };
}

/**
 * Returns the data directory at `path` of the project at `root` (both absolute). The user's configuration may put it
 * outside the project; it is then its own root.
 */
export function dataDirectory(path: string, { root, isTrusted }: { root: string; isTrusted: boolean }): DataDirectory {
  const links = isTrusted ? 'any' : 'inside';
  const relative = relativeWithin(root, path);
  if (relative === undefined) return { path, root: realPath(path), relative: '', links };
  return { path, root: realPath(root), relative, links };
}

/**
 * Returns the absolute path of a project's data directory: the configured directory, or `<root>/.serena` if only that
 * exists. Expands a leading `~` in `template`.
 *
 * @throws {ExpectedError} `config.invalid` for an unknown `$placeholder` in `template`.
 */
export function dataDirectoryPath(root: string, template: string): string {
  const filled = template.replaceAll(/\$(\w+)/g, (whole, name: string) => {
    if (name === 'projectDir') return root;
    if (name === 'projectFolderName') return basename(root);
    throw new ExpectedError(
      'config.invalid',
      `unknown placeholder \`${whole}\` in \`project_serena_folder_location\``,
      {
        hints: ['use `$projectDir` and `$projectFolderName` only'],
      },
    );
  });
  const configured = resolve(root, expandTilde(filled, process.env));
  const fallback = join(root, '.serena');
  return !existsSync(configured) && existsSync(fallback) ? fallback : configured;
}

/**
 * Absolute paths of the directories with one project's state, below SERENA_HOME. They are never in the project, because
 * a repository could then supply their content.
 */
export interface ProjectState {
  /** Journals of edits, and the lock that allows one process at a time to commit. */
  readonly edits: string;
  /** Can be deleted at any time. */
  readonly cache: string;
  /**
   * The cache directory for data that depends only on the contents of files. All worktrees of a Git repository share that of
   * the main worktree.
   */
  readonly contentCache: string;
}

/** Returns the state directories of the project at `root` (absolute). Creates nothing. */
export function projectState(home: string, root: string): ProjectState {
  const real = realPath(root);
  const key = keyOf(real);
  const { edits, caches } = homePaths(home);
  const contentCache = join(caches, keyOf(mainWorktreeOf(real) ?? real));
  return { edits: join(edits, key), cache: join(caches, key), contentCache };
}

/** Returns the absolute path of the directory for journals of memories, which belong to no single project. */
export function memoryEdits(home: string): string {
  return join(homePaths(home).edits, 'memories');
}

/** Returns the main worktree for a linked one, or the repository if it has none; otherwise `undefined`. */
function mainWorktreeOf(root: string): string | undefined {
  const repository = linkedRepository(root);
  return repository !== undefined && basename(repository) === '.git' ? dirname(repository) : repository;
}

/** Returns a directory name with the project's name, for people, and a hash that makes it unique. */
function keyOf(root: string): string {
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  return `${name}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
}
