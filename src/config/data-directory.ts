import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ExpectedError } from '../base/errors.ts';
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
 * Returns the absolute path of a project's data directory: the configured one if it exists, else `<root>/.serena` if
 * that exists, else the configured one, which does not exist yet.
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
  const configured = resolve(root, filled);
  const fallback = join(root, '.serena');
  return !existsSync(configured) && existsSync(fallback) ? fallback : configured;
}
