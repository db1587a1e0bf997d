import { z } from 'zod';
import type { Context } from '../config/context.ts';
import type { Mode } from '../config/mode.ts';
import { parsedResources } from '../generated/parsed-resources.ts';
import { renderTemplate } from './render.ts';

const promptFile = 'prompts/system_prompt.yml';
const promptsSchema = z.object({ prompts: z.object({ system_prompt: z.string() }) });

/**
 * Returns the manual: what these tools are for and how to use them, with the words of the context and the modes. It only
 * speaks of tools in `availableTools`.
 *
 * @throws {ExpectedError} `config.invalid` for a broken template.
 */
export async function renderManual(parts: {
  context: Context;
  modes: readonly Mode[];
  availableTools: readonly string[];
}): Promise<string> {
  const values = { available_tools: parts.availableTools };
  const { prompts } = promptsSchema.parse(parsedResources[promptFile]);
  const context = await renderTemplate(parts.context.prompt, values, `context ${parts.context.name}`);
  const modes = await renderModes(parts.modes, parts.availableTools);
  const manual = await renderTemplate(
    prompts.system_prompt,
    {
      ...values,
      context_system_prompt: context === '' ? '' : `<context>\n${context}\n</context>`,
      mode_system_prompts: modes,
    },
    promptFile,
  );
  return `<serena>\n${manual}\n</serena>`;
}

/**
 * Returns the words of each mode, marked with its name.
 *
 * @throws {ExpectedError} `config.invalid` for a broken template.
 */
export function renderModes(modes: readonly Mode[], availableTools: readonly string[]): Promise<string[]> {
  return Promise.all(
    modes.map(async ({ name, prompt }) => {
      const text = await renderTemplate(prompt, { available_tools: availableTools }, `mode ${name}`);
      return `<mode name="${name}">\n${text}\n</mode>`;
    }),
  );
}

/** Returns the one sentence that a client is told when it connects. */
export const connectionPrompt =
  'Before you work on code with these tools, call `initial_instructions` once and read the manual it returns.';
