import { join } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { placeIn } from '../config/config-map.ts';
import { userFiles } from '../config/named-file.ts';
import { readConfigFile } from '../config/read-config.ts';
import { setting } from '../config/setting.ts';
import type { TemplateText } from '../config/template-text.ts';
import { parsedResources } from '../generated/parsed-resources.ts';
import { renderTemplate } from './render.ts';

const promptFileSchema = z.looseObject({
  /** Files in other languages than the default one are for somebody else. */
  lang: setting(z.string(), 'default'),
  prompts: setting(z.record(z.string(), z.union([z.string(), z.array(z.string())])), {}),
});

type PromptFile = z.infer<typeof promptFileSchema>;

/**
 * Returns the prompt called `name`, the user's own where there is one, filled with `values`.
 *
 * @throws {ExpectedError} `config.invalid` for a name that no prompt has, a broken file or template, or a prompt that two
 *   files of the user's have.
 */
export async function renderPrompt(
  name: string,
  values: Readonly<Record<string, unknown>>,
  home: string,
): Promise<string> {
  const template = await findPrompt(name, home);
  const text = await renderTemplate(template, values);
  // In ours, a block that a condition left out leaves its empty lines.
  return template.firstLine === undefined ? text.replace(/\n{3,}/g, '\n\n') : text;
}

/** Returns the template of the prompt called `name`. Throws as {@link renderPrompt} does. */
export async function findPrompt(name: string, home: string): Promise<TemplateText> {
  const own = await userPrompt(name, home);
  if (own) return own;
  for (const [path, content] of builtInFiles()) {
    const text = content.prompts[name];
    if (text !== undefined) return { text: asText(text), file: path, firstLine: undefined };
  }
  const names = builtInFiles().flatMap(([, content]) => Object.keys(content.prompts));
  throw new ExpectedError('config.invalid', `There is no prompt \`${name}\``, {
    hints: [`There are: ${names.join(', ')}`],
  });
}

function builtInFiles(): [path: string, content: PromptFile][] {
  const files = Object.entries(parsedResources).filter(([path]) => path.startsWith('prompts/'));
  return files.map(([path, content]) => [path, promptFileSchema.parse(content)]);
}

/** A name that two files have is an error whichever prompt is asked for: nobody could tell which of them counts. */
async function userPrompt(name: string, home: string): Promise<TemplateText | undefined> {
  const paths = userFiles(join(home, 'prompt_templates'));
  if (paths.length === 0) return undefined;
  const { readYaml } = await import('../base/yaml.ts');
  const found = new Map<string, TemplateText>();
  for (const path of paths) {
    const { data, lineOf } = readYaml(readConfigFile(path) ?? '', path, promptFileSchema);
    if (data.lang !== 'default') continue;
    for (const [key, text] of Object.entries(data.prompts)) {
      const other = found.get(key);
      const template = { text: asText(text), file: path, firstLine: lineOf(['prompts', key]) };
      if (other) throw givenTwice(key, [other, template]);
      found.set(key, template);
    }
  }
  return found.get(name);
}

function givenTwice(name: string, places: readonly TemplateText[]): ExpectedError {
  const files = places.map(({ file, firstLine }) => placeIn(file, firstLine)).join(' and ');
  return new ExpectedError('config.invalid', `The prompt \`${name}\` is given twice, in ${files}`, {
    hints: ['Keep one of them'],
  });
}

function asText(text: string | readonly string[]): string {
  return typeof text === 'string' ? text : text.join('\n');
}
