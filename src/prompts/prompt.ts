import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { parsedResources } from '../generated/parsed-resources.ts';
import { renderTemplate } from './render.ts';

const promptFileSchema = z.object({ prompts: z.record(z.string(), z.string()) });

/**
 * Returns the prompt called `name`, filled with `values`.
 *
 * @throws {ExpectedError} `config.invalid` for a name that no prompt has, or a broken template.
 */
export async function renderPrompt(
  name: string,
  values: Readonly<Record<string, unknown>>,
  _home: string,
): Promise<string> {
  for (const [path, content] of Object.entries(parsedResources)) {
    if (!path.startsWith('prompts/')) continue;
    const template = promptFileSchema.parse(content).prompts[name];
    if (template !== undefined) return await renderTemplate(template, values, path);
  }
  throw new ExpectedError('config.invalid', `There is no prompt \`${name}\``);
}
