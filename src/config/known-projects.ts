import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { attempt } from '../base/attempt.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { isSameState, type RecordedState, recordState, tryStat } from '../base/file-state.ts';
import { log } from '../base/log.ts';
import { loadProjectConfig } from './project-config.ts';
import { dataOf } from './trust.ts';
import type { UserConfig } from './user-config.ts';

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
  return attempt(() => realpathSync(path), resolve(path));
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

/** The cached name of a project, valid while the states of its files are unchanged. */
interface ReadName {
  readonly states: readonly (RecordedState | undefined)[];
  /** `undefined` for a configuration that cannot be read. */
  readonly name: string | undefined;
}

/**
 * Cache by root and data directory: each session needs the names of all known projects, whose files may be slow to
 * parse.
 */
const readNames = new Map<string, ReadName>();

/**
 * Returns the name of the project at `root` (absolute), or `undefined`, with a warning, if its configuration cannot be
 * read. An unchanged configuration is not read again.
 *
 * @throws {ExpectedError} `config.invalid` for an invalid setting of the user.
 */
async function nameOf(root: string, user: UserConfig): Promise<string | undefined> {
  const data = dataOf(root, user);
  const files = ['project.yml', 'project.local.yml'].map((name) => join(data.path, name));
  const key = `${root}\0${data.path}\0${data.links}`;
  const known = readNames.get(key);
  if (known?.states.every((state, index) => isUnchanged(files[index] ?? '', state))) return known.name;
  const now = Date.now();
  const states = files.map((file) => {
    const stats = tryStat(file);
    return stats && recordState(stats, now);
  });
  const name = await readName(root, user);
  readNames.set(key, { states, name });
  return name;
}

function isUnchanged(file: string, state: RecordedState | undefined): boolean {
  const stats = tryStat(file);
  if (stats === undefined || state === undefined) return stats === state;
  return !state.isRacy && isSameState(state, stats);
}

async function readName(root: string, user: UserConfig): Promise<string | undefined> {
  try {
    return (await loadProjectConfig(root, dataOf(root, user))).name;
  } catch (error) {
    log('project').warn(`Skipped the known project \`${root}\`: ${messageOf(error)}`);
    return undefined;
  }
}
