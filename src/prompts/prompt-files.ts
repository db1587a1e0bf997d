import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { homePaths } from '../base/home.ts';
import { parsedResources } from '../generated/parsed-resources.ts';
import { resources } from '../generated/resources.ts';
import { findPrompt } from './prompt.ts';

const directory = 'prompts/';
const contentSchema = z.looseObject({ prompts: z.record(z.string(), z.unknown()) });

export interface ListedPrompt {
  readonly name: string;
  /** Absolute path of the user's file that replaces the built-in prompt, if any. */
  readonly path: string | undefined;
}

export interface PromptFile {
  /** With `.yml`. */
  readonly name: string;
  readonly text: string;
  /** Absolute path of the user's file that would replace it, whether or not it exists. */
  readonly path: string;
  readonly isOverridden: boolean;
}

/**
 * Returns all prompts, sorted by name.
 *
 * @throws {ExpectedError} as `findPrompt()` does.
 */
export async function listPrompts(home: string): Promise<ListedPrompt[]> {
  const files = Object.entries(parsedResources).filter(([path]) => path.startsWith(directory));
  const names = files.flatMap(([, content]) => Object.keys(contentSchema.parse(JSON.parse(content)).prompts)).sort();
  const listed: ListedPrompt[] = [];
  for (const name of names) {
    const { file } = await findPrompt(name, home);
    listed.push({ name, path: file.startsWith(directory) ? undefined : file });
  }
  return listed;
}

/** Returns the built-in prompt files, sorted by name. */
export function listPromptFiles(home: string): PromptFile[] {
  const files = Object.entries(resources).filter(([path]) => path.startsWith(directory));
  return files
    .map(([file, text]) => {
      const name = basename(file);
      const path = join(homePaths(home).prompts, name);
      return { name, text, path, isOverridden: existsSync(path) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
