import { rmSync } from 'node:fs';
import { ExpectedError } from '../../base/errors.ts';
import { writeTextAtomically } from '../../base/files.ts';
import { nearest } from '../../base/nearest.ts';
import { homeDirectory } from '../../install/store/layout.ts';
import { findPrompt } from '../../prompts/prompt.ts';
import { listPromptFiles, listPrompts, type PromptFile } from '../../prompts/prompt-files.ts';
import { edit } from '../editor.ts';
import type { Environment } from '../environment.ts';

/**
 * Lists the prompts and where each comes from, then the files that hold them.
 *
 * @throws {ExpectedError} `config.invalid` for a file of the user's that is broken.
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
    process.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
    return;
  }
  const lines = [
    'Prompts:',
    ...prompts.map(({ name, path }) => `  ${name}: ${path ?? 'default'}`),
    'Files:',
    ...files.map(({ name, isOverridden, path }) => `  ${name}${isOverridden ? ` (merged with ${path})` : ''}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Lists the files of the user's that replace prompts of a file of the program. */
export function listOverrides(environment: Environment): void {
  const files = listPromptFiles(homeDirectory(environment.env)).filter(({ isOverridden }) => isOverridden);
  for (const { path } of files) process.stdout.write(`${path}\n`);
  if (files.length === 0) process.stderr.write('There is no override\n');
}

/**
 * Copies a file of prompts to the user's directory and lets the user edit it. Returns the exit code.
 *
 * @throws {ExpectedError} `config.invalid` for a file that there is not; `file.exists`.
 */
export function createOverride(name: string, environment: Environment): Promise<number> {
  const { text, path, isOverridden, name: file } = requireFile(name, environment);
  if (isOverridden) {
    throw new ExpectedError('file.exists', `There is an override already: ${path}`, {
      hints: [`Run \`serena prompts edit-override ${file}\``],
    });
  }
  writeTextAtomically(path, text);
  return edit(path, environment);
}

/**
 * Lets the user edit an override. Returns the exit code.
 *
 * @throws {ExpectedError} `config.invalid` where there is none.
 */
export function editOverride(name: string, environment: Environment): Promise<number> {
  const { path, isOverridden, name: file } = requireFile(name, environment);
  if (isOverridden) return edit(path, environment);
  throw new ExpectedError('config.invalid', `There is no override of ${file}`, {
    hints: [`Run \`serena prompts create-override ${file}\` to make one`],
  });
}

/** Deletes an override; one that is not there is no failure. @throws {ExpectedError} `config.invalid` for no such file. */
export function deleteOverride(name: string, environment: Environment): void {
  const { path, isOverridden, name: file } = requireFile(name, environment);
  if (isOverridden) rmSync(path);
  process.stdout.write(isOverridden ? `Deleted ${path}\n` : `There is no override of ${file}\n`);
}

/**
 * Prints a prompt as it is written, its placeholders not filled in.
 *
 * @throws {ExpectedError} `config.invalid` for a prompt that there is not.
 */
export async function printTemplate(name: string, environment: Environment): Promise<void> {
  const { text } = await findPrompt(name, homeDirectory(environment.env));
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

function requireFile(name: string, environment: Environment): PromptFile {
  const files = listPromptFiles(homeDirectory(environment.env));
  const wanted = name.endsWith('.yml') ? name : `${name}.yml`;
  const found = files.find((file) => file.name === wanted);
  if (found !== undefined) return found;
  const names = files.map((file) => file.name);
  const meant = nearest(wanted, names);
  throw new ExpectedError('config.invalid', `There is no file of prompts \`${wanted}\``, {
    hints: [...(meant === undefined ? [] : [`Did you mean \`${meant}\`?`]), `There are: ${names.join(', ')}`],
  });
}
