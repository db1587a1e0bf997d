import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { nameOf } from './known-names.ts';
import type { UserConfig } from './user-config.ts';

/** A project in the user's configuration. */
export interface KnownProject {
  readonly name: string;
  /** Absolute path. */
  readonly root: string;
}

/**
 * Returns the known projects whose directories exist, in their order in the configuration. Skips unreadable ones with a
 * warning.
 */
export async function listKnownProjects(user: UserConfig): Promise<KnownProject[]> {
  const known = await Promise.all(
    user.projects.map(async (root) => {
      try {
        if (!existsSync(root)) return undefined;
        if (!statSync(root).isDirectory())
          throw new Error('it is a file; move it to `.serena/project.yml` in its project');
        const name = await nameOf(root, user);
        return name === undefined ? undefined : { name, root };
      } catch (error) {
        log('project').warn(`Skipped the known project \`${root}\`: ${messageOf(error)}`);
        return undefined;
      }
    }),
  );
  return known.filter((project) => project !== undefined);
}

/**
 * Returns the absolute, real path of a project, given by the name of a known project or by a directory, absolute
 * or relative to the absolute path `cwd`.
 *
 * @throws {ExpectedError} `project.ambiguous` listing the directories; `project.not-found` listing the known names.
 */
export async function resolveProject(nameOrPath: string, user: UserConfig, cwd: string): Promise<string> {
  // An absolute path is never a name, and reading the configuration of every known project takes time.
  const known = isAbsolute(nameOrPath) && existsSync(nameOrPath) ? [] : await listKnownProjects(user);
  const named = findNamed(nameOrPath, known);
  const path = named?.root ?? resolve(cwd, nameOrPath);
  if (named === undefined && !existsSync(path)) throw notFound(nameOrPath, known);
  if (!statSync(path).isDirectory()) {
    throw new ExpectedError('file.not-directory', `the project path \`${path}\` is a file, not a directory`, {
      hints: ['pass the directory that contains it'],
    });
  }
  return realpathSync(path);
}

/**
 * Returns the known project with this name or, if there is none, with this directory; else `undefined`.
 *
 * @throws {ExpectedError} `project.ambiguous` listing the directories of several projects of the name.
 */
export async function findKnownProject(nameOrPath: string, user: UserConfig): Promise<KnownProject | undefined> {
  const known = await listKnownProjects(user);
  return findNamed(nameOrPath, known) ?? known.find(({ root }) => isSamePlace(root, nameOrPath));
}

/** Returns a hint that lists the names of the known projects. */
export async function knownProjectsHint(user: UserConfig): Promise<string> {
  const names = (await listKnownProjects(user)).map(({ name }) => name).join(', ');
  return names === '' ? 'no project is known' : `known projects: ${names}`;
}

/**
 * True if two paths have the same real path. Paths that do not exist are compared as text, after resolving `.` and
 * `..`.
 */
export function isSamePlace(path: string, other: string): boolean {
  return realOrResolved(path) === realOrResolved(other);
}

function realOrResolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function findNamed(name: string, known: readonly KnownProject[]): KnownProject | undefined {
  const named = known.filter((project) => project.name === name);
  if (named.length <= 1) return named[0];
  throw new ExpectedError('project.ambiguous', `\`${name}\` names ${named.length} projects`, {
    hints: [`pass one of their directories: ${named.map(({ root }) => root).join(', ')}`],
  });
}

function notFound(nameOrPath: string, known: readonly KnownProject[]): ExpectedError {
  const names = known.map(({ name }) => name).join(', ');
  return new ExpectedError('project.not-found', `there is no project or directory \`${nameOrPath}\``, {
    hints: [names === '' ? 'no project is known yet: pass the path of a directory' : `known projects: ${names}`],
  });
}
