import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ExpectedError, systemCode } from '../base/errors.ts';
import { readConfigFile } from '../config/read-config.ts';
import { parsedResources } from '../generated/parsed-resources.ts';
import { renderTemplate } from './render.ts';

const promptFileSchema = z.looseObject({
  /** We have one language; files for others are left alone. */
  lang: z.string().nullish(),
  prompts: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
});

interface PromptTemplate {
  readonly template: string;
  /** The file it is from. */
  readonly source: string;
}

/**
 * Returns the prompt called `name`, filled with `values`: the user's own from `<home>/prompt_templates/*.yml` where there
 * is one (`spec/system.md` §5.1).
 *
 * @throws {ExpectedError} `config.invalid` for a broken file, a name in two of the user's files, a broken template.
 */
export async function renderPrompt(
  name: string,
  values: Readonly<Record<string, unknown>>,
  home: string,
): Promise<string> {
  const found = await findPrompt(name, home);
  const rendered = await renderTemplate(found.text, values, `the prompt \`${name}\` in \`${found.file}\``);
  // What a condition left out leaves its empty lines.
  return rendered.replace(/\n{3,}/g, '\n\n');
}

/** Returns the template of the prompt called `name`. Throws as {@link renderPrompt} does. */
export async function findPrompt(
  name: string,
  home: string,
): Promise<{ readonly text: string; readonly file: string }> {
  const found = (await userPrompts(home)).get(name) ?? builtInPrompt(name);
  if (found === undefined) throw new ExpectedError('config.invalid', `There is no prompt \`${name}\``);
  return { text: found.template, file: found.source };
}

function builtInPrompt(name: string): PromptTemplate | undefined {
  for (const [source, content] of Object.entries(parsedResources)) {
    const template = source.startsWith('prompts/') ? promptsIn(content).get(name) : undefined;
    if (template !== undefined) return { template, source };
  }
  return undefined;
}

async function userPrompts(home: string): Promise<Map<string, PromptTemplate>> {
  const found = new Map<string, PromptTemplate>();
  for (const source of promptFiles(join(home, 'prompt_templates'))) {
    const { parseYaml } = await import('../base/yaml.ts');
    const content = parseYaml(readConfigFile(source) ?? '', source, promptFileSchema.partial());
    for (const [name, template] of promptsIn(content)) {
      const other = found.get(name);
      if (other !== undefined) throw givenTwice(name, [other.source, source]);
      found.set(name, { template, source });
    }
  }
  return found;
}

/** Returns the absolute paths of the YAML files in a folder, sorted; none where there is no such folder. */
function promptFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.yml'));
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw new ExpectedError('config.invalid', `Cannot read the folder \`${folder}\``, { cause: error });
  }
}

/** A list of texts counts as one text of as many lines. */
function promptsIn(content: unknown): Map<string, string> {
  const { lang, prompts = {} } = promptFileSchema.partial().parse(content);
  if ((lang ?? 'default') !== 'default') return new Map();
  return new Map(
    Object.entries(prompts).map(([name, text]) => [name, typeof text === 'string' ? text : text.join('\n')]),
  );
}

function givenTwice(name: string, files: readonly string[]): ExpectedError {
  const places = files.map((file) => `\`${file}\``).join(' and ');
  return new ExpectedError('config.invalid', `The prompt \`${name}\` is given twice, in ${places}`, {
    hints: ['Keep one of them'],
  });
}
