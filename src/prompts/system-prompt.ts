import type { Context } from '../config/context.ts';
import type { Mode } from '../config/mode.ts';
import { renderPrompt } from './prompt.ts';
import { renderWithMemories, type TemplateInputs } from './render.ts';

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
