import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { readTextIfExists, writeTextAtomically } from '../../base/files.ts';
import { homeDirectory, homePaths } from '../../base/home.ts';
import { nearest } from '../../base/nearest.ts';
import { windowsPathProblem } from '../../base/windows-names.ts';
import {
  builtInExtension,
  extensionPath,
  listNamedFiles,
  type NamedFileKind,
  noNamedFile,
} from '../../config/named-file.ts';
import { resources } from '../../generated/resources.ts';
import { findPrompt } from '../../prompts/prompt.ts';
import { listPromptFiles, listPrompts, type PromptFile } from '../../prompts/prompt-files.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printJson, printLines, printText } from '../output.ts';
import { exitCodes, usageError } from '../report.ts';

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

/**
 * Lists the prompts with their sources, then the files that define them.
 *
 * @throws {ExpectedError} `config.invalid` for a broken file of the user.
 */
export async function listAllPrompts(flags: { readonly json?: boolean }, environment: Environment): Promise<void> {
  const home = homeDirectory(environment.env);
  const prompts = await listPrompts(home);
  const files = listPromptFiles(home);
  if (flags.json) {
    const json = {
      prompts: prompts.map(({ name, path }) => ({ name, path: path ?? null })),
      files: files.map(({ name, isOverridden, path }) => ({ name, override: isOverridden ? path : null })),
    };
    printJson(json);
    return;
  }
  const lines = [
    'Prompts:',
    ...prompts.map(({ name, path }) => `  ${name}: ${path ?? 'default'}`),
    'Files:',
    ...files.map(({ name, isOverridden, path }) => `  ${name}${isOverridden ? ` (merged with ${path})` : ''}`),
  ];
  printLines(lines);
}

export function listOverrides(environment: Environment): void {
  const files = listPromptFiles(homeDirectory(environment.env)).filter(({ isOverridden }) => isOverridden);
  for (const { path } of files) ownCaller.print(`${path}\n`);
  if (files.length === 0) ownCaller.report('There are no overrides\n');
}

/**
 * Copies a prompt file to the user's directory and opens it in an editor. Returns the exit code.
 *
 * @throws {ExpectedError} `config.invalid` if there is no such file; `file.exists`.
 */
export function createOverride(name: string, environment: Environment): Promise<number> {
  const { text, path, isOverridden, name: file } = requireFile(name, environment);
  if (isOverridden) {
    throw new ExpectedError('file.exists', `the override already exists: ${path}`, {
      hints: [`run \`serena prompts edit-override ${file}\``],
    });
  }
  writeTextAtomically(path, text);
  return edit(path, environment);
}

/**
 * Opens an override in an editor. Returns the exit code.
 *
 * @throws {ExpectedError} `config.invalid` if it does not exist.
 */
export function editOverride(name: string, environment: Environment): Promise<number> {
  const { path, isOverridden, name: file } = requireFile(name, environment);
  if (isOverridden) return edit(path, environment);
  throw new ExpectedError('config.invalid', `there is no override of ${file}`, {
    hints: [`run \`serena prompts create-override ${file}\` to create one`],
  });
}

/** Deletes an override; a missing one is no error. @throws {ExpectedError} `config.invalid` for an unknown file. */
export function deleteOverride(name: string, environment: Environment): void {
  const { path, isOverridden, name: file } = requireFile(name, environment);
  if (isOverridden) rmSync(path);
  ownCaller.print(isOverridden ? `Deleted ${path}\n` : `There is no override of ${file}\n`);
}

/**
 * Prints a prompt template without expanding its placeholders.
 *
 * @throws {ExpectedError} `config.invalid` for an unknown prompt.
 */
export async function printTemplate(name: string, environment: Environment): Promise<void> {
  const { text } = await findPrompt(name, homeDirectory(environment.env));
  printText(text);
}

function requireFile(name: string, environment: Environment): PromptFile {
  const files = listPromptFiles(homeDirectory(environment.env));
  const fileName = name.endsWith('.yml') ? name : `${name}.yml`;
  const found = files.find((file) => file.name === fileName);
  if (found !== undefined) return found;
  const names = files.map((file) => file.name);
  const meant = nearest(fileName, names);
  throw new ExpectedError('config.invalid', `there is no prompt file \`${fileName}\``, {
    hints: [...(meant === undefined ? [] : [`did you mean \`${meant}\`?`]), `use one of: ${names.join(', ')}`],
  });
}

/**
 * Prints the absolute path of a file and opens it with `$VISUAL`, else `$EDITOR`. Without either, or without a terminal,
 * only prints the path. Returns the exit code.
 */
export async function edit(path: string, { env }: Environment): Promise<number> {
  const editor = env.VISUAL?.trim() || env.EDITOR?.trim();
  ownCaller.print(`${path}\n`);
  if (!editor || !process.stdin.isTTY || !process.stdout.isTTY) return exitCodes.ok;
  const problem = await run(editor, path);
  if (problem === undefined) return exitCodes.ok;
  ownCaller.report(
    `error: the editor \`${editor}\` ${problem}\n\nhint: set \`VISUAL\` or \`EDITOR\` to an editor that works\n`,
  );
  return exitCodes.failed;
}

/** Returns the problem, or `undefined` on success. */
function run(editor: string, path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = start(editor, path);
    child.once('error', (error) => resolve(`did not start: ${messageOf(error)}`));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `exited with ${code ?? signal}`));
  });
}

/** Runs the variable's value as a shell command with arguments, as git does. */
function start(editor: string, path: string, platform = process.platform) {
  if (platform === 'win32') return spawn(`${editor} "${path}"`, { stdio: 'inherit', shell: true });
  return spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, path], { stdio: 'inherit' });
}
