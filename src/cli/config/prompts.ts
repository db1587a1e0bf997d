import { rmSync } from 'node:fs';
import { ExpectedError } from '../../base/errors.ts';
import { writeTextAtomically } from '../../base/files.ts';
import { homeDirectory } from '../../base/home.ts';
import { nearest } from '../../base/nearest.ts';
import { findPrompt } from '../../prompts/prompt.ts';
import { listPromptFiles, listPrompts, type PromptFile } from '../../prompts/prompt-files.ts';
import { ownCaller } from '../caller.ts';
import { edit } from '../editor.ts';
import type { Environment } from '../environment.ts';
import { printJson, printLines, printText } from '../output.ts';

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

/** Lists the user's override files. */
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
