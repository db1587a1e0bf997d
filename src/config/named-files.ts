import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ExpectedError, systemCode } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { resources } from '../generated/resources.ts';
import type { NamedFileKind } from './named-file.ts';

/** A context or mode that there is. */
export interface NamedFile {
  readonly name: string;
  /** Absolute path of the user's file; `undefined` for one of ours. */
  readonly path: string | undefined;
}

/** Returns all contexts or modes, the user's in place of ours of the same name, in order of name. */
export function listNamedFiles(kind: NamedFileKind, home: string): NamedFile[] {
  const byName = new Map<string, NamedFile>();
  for (const name of builtInNames(kind)) byName.set(name, { name, path: undefined });
  for (const file of userFiles(join(home, kind))) {
    const name = basename(file, '.yml');
    byName.set(name, { name, path: join(home, kind, file) });
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the YAML text of one of our contexts or modes, or `undefined`. */
export function builtInText(kind: NamedFileKind, name: string): string | undefined {
  return resources[`${kind}/${name}.yml`];
}

/** Returns the absolute path of the user's file of that name, whether or not it is there. */
export function userFilePath(kind: NamedFileKind, name: string, home: string): string {
  return join(home, kind, `${name}.yml`);
}

/** Returns the error for a context or mode that does not exist, naming what is near. */
export function noNamedFile(kind: NamedFileKind, name: string, home: string): ExpectedError {
  const names = listNamedFiles(kind, home).map((file) => file.name);
  const meant = nearest(name, names);
  return new ExpectedError('config.invalid', `There is no ${kind.slice(0, -1)} \`${name}\``, {
    hints: [...(meant === undefined ? [] : [`Did you mean \`${meant}\`?`]), `There are: ${names.join(', ')}`],
  });
}

function builtInNames(kind: NamedFileKind): string[] {
  const paths = Object.keys(resources).filter(
    (path) => path.startsWith(`${kind}/`) && !path.slice(kind.length + 1).includes('/'),
  );
  return paths.map((path) => basename(path, '.yml'));
}

function userFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.yml'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
