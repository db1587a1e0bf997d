import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { relativeWithin, toPosix } from '../../base/paths.ts';
import type { Place } from '../place.ts';
import { usageError } from '../report.ts';

/** A symbol, or a file or directory; absent parts are empty. */
export interface Address {
  /** Project-relative if the file or directory exists inside the project, otherwise as given. */
  readonly path: string;
  readonly namePath: string;
}

/** Parses the address of a symbol: `<file>#<name path>`, or a name path that is looked up in the whole project. */
export function parseSymbol(text: string, place: Place): Address {
  const [path, namePath] = splitAtName(text, place) ?? ['', text];
  if (namePath === '') {
    throw usageError(`\`${text}\` names no symbol`, ['write `<name path>` or `<file>#<name path>`']);
  }
  return { path: path === '' ? '' : projectPath(path, place), namePath };
}

/**
 * Parses the address of a symbol or a file. Text without `#` is a file if it exists, or if it looks like a file name: then
 * the error about a missing file is more useful than one about a missing symbol.
 */
export function parseFileOrSymbol(text: string, place: Place): Address {
  const isPath = findPath(text, place) !== undefined || (!hasName(text, place) && /[^/\\]\.\w+$/.test(text));
  return isPath ? { path: projectPath(text, place), namePath: '' } : parseSymbol(text, place);
}

/** Returns a path as tools take it: project-relative if it exists, from the working directory first; otherwise as given. */
export function projectPath(given: string, place: Place): string {
  return findPath(given, place) ?? toPosix(given);
}

/** Returns a path that need not exist as tools take it: project-relative if it is inside the project. */
export function newPath(given: string, { root, cwd }: Place): string {
  const inProject = relativeWithin(root, resolve(cwd, given));
  return toPosix(inProject ?? given);
}

/** Returns a project-relative path as plain text shows it, so that editors started in the working directory open it. */
export function shownPath(path: string, { root, cwd }: Place): string {
  if (relativeWithin(root, cwd) === undefined) return path;
  return toPosix(relative(cwd, resolve(root, path)));
}

function findPath(given: string, { root, cwd }: Place): string | undefined {
  for (const base of [cwd, root]) {
    const path = resolve(base, given);
    const inProject = relativeWithin(root, path);
    if (inProject !== undefined && existsSync(path)) return toPosix(inProject);
  }
  return undefined;
}

function hasName(text: string, place: Place): boolean {
  return splitAtName(text, place) !== undefined;
}

/**
 * Splits text at the first `#` after an existing file or directory, otherwise at the first one. A `#` that begins a name,
 * as in `Basket/#total` of JavaScript, is part of it.
 */
function splitAtName(text: string, place: Place): readonly [path: string, namePath: string] | undefined {
  const splits = [...text.matchAll(/(?<=[^/])#/g)].map(
    ({ index }) => [text.slice(0, index), text.slice(index + 1)] as const,
  );
  return splits.find(([path]) => findPath(path, place) !== undefined) ?? splits[0];
}

/** Splits `<symbol>=<new-name>`. @throws {ExpectedError} `usage.invalid`. */
export function splitPair(text: string): readonly [symbol: string, newName: string] {
  // Names of operators contain the sign, new names do not.
  const at = text.lastIndexOf('=');
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(`\`${text}\` is not a rename`, [
    'write `serena rename <symbol> <new-name>`',
    'or `serena rename <symbol>=<new-name> <symbol>=<new-name>`',
  ]);
}

/** Returns the arguments of `find_path` for the symbol that is reached. @throws {ExpectedError} `usage.invalid`. */
export function pathTarget(text: string, place: Place): Readonly<Record<string, unknown>> {
  const { path, namePath } = parseSymbol(text, place);
  return { target_name_path: namePath, target_relative_path: path };
}
