import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { parsedResources } from '../generated/parsed-resources.ts';
import { resources } from '../generated/resources.ts';
import { findPrompt } from './prompt.ts';

const directory = 'prompts/';
const contentSchema = z.looseObject({ prompts: z.record(z.string(), z.unknown()) });

/** A prompt that there is. */
export interface ListedPrompt {
  readonly name: string;
  /** Absolute path of the user's file that replaces it; `undefined` where none does. */
  readonly path: string | undefined;
}

/** A file of prompts that is part of the program. */
export interface PromptFile {
  /** With `.yml`. */
  readonly name: string;
  readonly text: string;
  /** Absolute path of the user's file of that name, whether or not it is there. */
  readonly path: string;
  readonly isOverridden: boolean;
}

/**
 * Returns every prompt of the program, in order of name.
 *
 * @throws {ExpectedError} as `findPrompt()` does.
 */
export async function listPrompts(home: string): Promise<ListedPrompt[]> {
  const files = Object.entries(parsedResources).filter(([path]) => path.startsWith(directory));
  const names = files.flatMap(([, content]) => Object.keys(contentSchema.parse(content).prompts)).sort();
  const listed: ListedPrompt[] = [];
  for (const name of names) {
    const { file } = await findPrompt(name, home);
    listed.push({ name, path: file.startsWith(directory) ? undefined : file });
  }
  return listed;
}

/** Returns the files of prompts of the program, in order of name. */
export function listPromptFiles(home: string): PromptFile[] {
  const files = Object.entries(resources).filter(([path]) => path.startsWith(directory));
  return files
    .map(([file, text]) => {
      const name = basename(file);
      const path = join(home, 'prompt_templates', name);
      return { name, text, path, isOverridden: existsSync(path) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
