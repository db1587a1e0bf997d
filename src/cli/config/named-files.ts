import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { readTextIfExists, writeTextAtomically } from '../../base/files.ts';
import { homeDirectory, homePaths } from '../../base/home.ts';
import { windowsPathProblem } from '../../base/windows-names.ts';
import {
  builtInExtension,
  extensionPath,
  listNamedFiles,
  type NamedFileKind,
  noNamedFile,
} from '../../config/named-file.ts';
import { resources } from '../../generated/resources.ts';
import { ownCaller } from '../caller.ts';
import { edit } from '../editor.ts';
import type { Environment } from '../environment.ts';
import { printJson, printText } from '../output.ts';
import { usageError } from '../report.ts';

/** Writes all contexts or modes to stdout. */
export function listFiles(kind: NamedFileKind, flags: { readonly json?: boolean }, environment: Environment): void {
  const files = listNamedFiles(kind, homeDirectory(environment.env));
  if (flags.json) {
    const entries = files.map(({ name, path }) => ({ name, internal: path === undefined, path: path ?? null }));
    printJson(entries);
    return;
  }
  const width = Math.max(...files.map(({ name }) => name.length)) + 4;
  for (const { name, path } of files) {
    ownCaller.print(`${name.padEnd(width)}${path === undefined ? '(internal)' : `(at ${path})`}\n`);
  }
}

/**
 * Creates a context or mode of the user, optionally as a copy of a built-in one, and opens it in an editor. Returns the
 * exit code.
 *
 * @throws {ExpectedError} `usage.invalid` without a name; `config.invalid` if the built-in one does not exist;
 *   `file.exists`.
 */
export async function createFile(
  kind: NamedFileKind,
  flags: { readonly name?: string; readonly fromInternal?: string },
  environment: Environment,
): Promise<number> {
  const { fromInternal } = flags;
  const name = requireName(kind, flags.name ?? fromInternal);
  const home = homeDirectory(environment.env);
  const text =
    fromInternal === undefined ? resources[`templates/${singular(kind)}.yml`] : builtInText(kind, fromInternal);
  if (text === undefined) throw noNamedFile(kind, fromInternal ?? '', home);
  const path = userFilePath(kind, name, home);
  if (existsSync(path)) {
    throw new ExpectedError('file.exists', `you already have a ${singular(kind)} \`${name}\`: ${path}`, {
      hints: [`run \`serena ${singular(kind)} edit ${name}\``, 'pass another `--name`'],
    });
  }
  writeTextAtomically(path, text);
  const extension = fromInternal === undefined ? undefined : await builtInExtensionText(kind, fromInternal);
  if (extension !== undefined) writeTextAtomically(extensionPath(path), `${extensionHead}${extension}`);
  return await edit(path, environment);
}

const extensionHead =
  '# Settings for the file of the same name in the parent directory, where `serena-agent` would reject them.\n';

/**
 * Opens a context or mode of the user in an editor. Returns the exit code.
 *
 * @throws {ExpectedError} `config.invalid` if it is built in or does not exist.
 */
export function editFile(kind: NamedFileKind, name: string, environment: Environment): Promise<number> {
  const home = homeDirectory(environment.env);
  const path = userFilePath(kind, requireName(kind, name), home);
  if (existsSync(path)) return edit(path, environment);
  if (builtInText(kind, name) === undefined) throw noNamedFile(kind, name, home);
  throw new ExpectedError('config.invalid', `the ${singular(kind)} \`${name}\` is built in and cannot be edited`, {
    hints: [`run \`serena ${singular(kind)} create --from-internal ${name}\` to create a copy that replaces it`],
  });
}

/** Deletes a context or mode of the user; a built-in one of the same name takes effect again. A missing file is no error. */
export function deleteFile(kind: NamedFileKind, name: string, environment: Environment): void {
  const path = userFilePath(kind, requireName(kind, name), homeDirectory(environment.env));
  if (!existsSync(path)) {
    ownCaller.print(`You have no ${singular(kind)} \`${name}\`\n`);
    return;
  }
  rmSync(path);
  rmSync(extensionPath(path), { force: true });
  const consequence =
    builtInText(kind, name) === undefined ? '' : `; the built-in ${singular(kind)} of that name is used again`;
  ownCaller.print(`Deleted ${path}${consequence}\n`);
}

/**
 * Writes the text of a context or mode to stdout, the user's own if there is one, and its extension to stderr.
 *
 * @throws {ExpectedError} `config.invalid` if it does not exist.
 */
export async function showFile(kind: NamedFileKind, name: string, environment: Environment): Promise<void> {
  const home = homeDirectory(environment.env);
  const path = userFilePath(kind, requireName(kind, name), home);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : builtInText(kind, name);
  if (text === undefined) throw noNamedFile(kind, name, home);
  printText(text);
  const extension = readTextIfExists(extensionPath(path)) ?? (await builtInExtensionText(kind, name));
  if (extension !== undefined) ownCaller.report(`Also, in \`${extensionPath(path)}\`:\n${extension}`);
}

/** Returns the YAML text of a built-in context or mode, or `undefined`. */
function builtInText(kind: NamedFileKind, name: string): string | undefined {
  return resources[`${kind}/${name}.yml`];
}

/** Returns the absolute path of the user's file of that name, whether or not it exists. */
function userFilePath(kind: NamedFileKind, name: string, home: string): string {
  return join(homePaths(home)[kind], `${name}.yml`);
}

/** Returns the YAML text of the extension of a built-in context or mode, or `undefined` if it has none. */
async function builtInExtensionText(kind: NamedFileKind, name: string): Promise<string | undefined> {
  const extension = builtInExtension(kind, name);
  if (extension === undefined) return undefined;
  const { formatYaml } = await import('../../base/yaml-edit.ts');
  return formatYaml(extension);
}

export function requireName(kind: NamedFileKind, name: string | undefined, platform = process.platform): string {
  if (name === undefined) throw usageError('neither `--name` nor `--from-internal` is given', ['pass one of them']);
  const isPortable = windowsPathProblem(`${name}.yml`, platform) === undefined;
  if (/^[\w][\w.-]*$/.test(name) && !/\.ya?ml$/.test(name) && isPortable) return name;
  throw usageError(`\`${name}\` is not a valid name for a ${singular(kind)}`, [
    'use letters, digits, `-` and `_`, without `.yml`',
  ]);
}

function singular(kind: NamedFileKind): string {
  return kind.slice(0, -1);
}
