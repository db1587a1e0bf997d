import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import { homePaths } from '../base/home.ts';
import { placeIn, readConfigFile, type TemplateText } from '../config/config-map.ts';
import type { Context } from '../config/context.ts';
import type { Mode } from '../config/mode.ts';
import { userFiles } from '../config/named-file.ts';
import { setting } from '../config/value-schemas.ts';
import { parsedResources } from '../generated/parsed-resources.ts';
import { renderTemplate, renderWithMemories, type TemplateInputs } from './render.ts';

const promptFileSchema = z.looseObject({
  /** Files in a language other than the default one are ignored. */
  lang: setting(z.string(), 'default'),
  prompts: setting(z.record(z.string(), z.union([z.string(), z.array(z.string())])), {}),
});

type PromptFile = z.infer<typeof promptFileSchema>;

/**
 * Renders the prompt called `name`, the user's if there is one, with `values`.
 *
 * @throws {ExpectedError} `config.invalid` for an unknown name, a broken file or template, or a prompt that two of the
 *   user's files define.
 */
export async function renderPrompt(
  name: string,
  values: Readonly<Record<string, unknown>>,
  home: string,
): Promise<string> {
  const template = await findPrompt(name, home);
  const text = await renderTemplate(template, values);
  // In built-in prompts, a block whose condition is false leaves its empty lines behind.
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
  throw new ExpectedError('config.invalid', `there is no prompt \`${name}\``, {
    hints: [`the prompts are: ${names.join(', ')}`],
  });
}

function builtInFiles(): [path: string, content: PromptFile][] {
  const files = Object.entries(parsedResources).filter(([path]) => path.startsWith('prompts/'));
  return files.map(([path, content]) => [path, promptFileSchema.parse(JSON.parse(content))]);
}

/** Returns the user's prompt. A name defined in two files is an error even if another prompt is requested. */
async function userPrompt(name: string, home: string): Promise<TemplateText | undefined> {
  const paths = userFiles(homePaths(home).prompts);
  if (paths.length === 0) return undefined;
  const { readYaml } = await import('../base/yaml.ts');
  const prompts = new Map<string, TemplateText>();
  for (const path of paths) {
    const { data, lineOf } = readYaml(readConfigFile(path) ?? '', path, promptFileSchema);
    if (data.lang !== 'default') continue;
    for (const [key, text] of Object.entries(data.prompts)) {
      const other = prompts.get(key);
      const template = { text: asText(text), file: path, firstLine: lineOf(['prompts', key]) };
      if (other) throw definedTwice(key, [other, template]);
      prompts.set(key, template);
    }
  }
  return prompts.get(name);
}

function definedTwice(name: string, definitions: readonly TemplateText[]): ExpectedError {
  const files = definitions.map(({ file, firstLine }) => placeIn(file, firstLine)).join(' and ');
  return new ExpectedError('config.invalid', `the prompt \`${name}\` is defined twice, in ${files}`, {
    hints: ['remove one of them'],
  });
}

function asText(text: string | readonly string[]): string {
  return typeof text === 'string' ? text : text.join('\n');
}

/**
 * Returns the manual: what the tools are for and how to use them, with the prompts of the context and the modes. It
 * mentions only tools in `available_tools`.
 *
 * @throws {ExpectedError} `config.invalid` for a broken template.
 */
export async function renderManual(
  parts: {
    context: Context;
    modes: readonly Mode[];
    /** Names of the global memories; `''` for none. */
    globalMemories: string;
    /** The tools listed from the start; `undefined` without deferred loading. */
    coreTools: readonly string[] | undefined;
    home: string;
  },
  inputs: TemplateInputs,
): Promise<string> {
  const context = await renderWithMemories(parts.context.prompt, inputs);
  const values = {
    ...inputs.values,
    global_memories_list: parts.globalMemories,
    context_system_prompt: context === '' ? '' : `<context>\n${context}\n</context>`,
    mode_system_prompts: await renderModes(parts.modes, inputs),
    deferred_loading_enabled: parts.coreTools !== undefined,
    core_tools: parts.coreTools ?? [],
  };
  const manual = await renderPrompt('system_prompt', values, parts.home);
  return `<serena>\n${manual}\n</serena>`;
}

/**
 * Returns the rendered prompts of the modes that have one, each in a `<mode>` tag with its name.
 *
 * @throws {ExpectedError} `config.invalid` for a broken template.
 */
export async function renderModes(modes: readonly Mode[], inputs: TemplateInputs): Promise<string[]> {
  const blocks = await Promise.all(
    modes.map(async ({ name, prompt }) => {
      const text = await renderWithMemories(prompt, inputs);
      return text === '' ? [] : [`<mode name="${name}">\n${text}\n</mode>`];
    }),
  );
  return blocks.flat();
}
