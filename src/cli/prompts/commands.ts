import type { Command } from 'commander';
import { addExamples, type Host } from '../host.ts';

/** Adds `prompts …`. */
export function addPromptCommands(program: Command, host: Host): void {
  const prompts = program.command('prompts').description('Manage prompts: texts that agents read');
  addShowing(prompts, host);
  addOverriding(prompts, host);
}

function addShowing(prompts: Command, { environment }: Host): void {
  const list = prompts
    .command('list')
    .description('List the prompts, their sources, and the files that define them')
    .option('--json', 'print JSON')
    .action(async (flags: { json?: boolean }) => {
      const { listAllPrompts } = await import('./prompts.ts');
      await listAllPrompts(flags, environment);
    });
  addExamples(list, 'serena prompts list');
  const overrides = prompts
    .command('list-overrides')
    .description('List your override files')
    .action(async () => {
      const { listOverrides } = await import('./prompts.ts');
      listOverrides(environment);
    });
  addExamples(overrides, 'serena prompts list-overrides');
  const template = prompts
    .command('print-prompt-template')
    .description('Print a prompt template without expanding its placeholders')
    .argument('<prompt>', 'name of the prompt')
    .action(async (name: string) => {
      const { printTemplate } = await import('./prompts.ts');
      await printTemplate(name, environment);
    });
  addExamples(template, 'serena prompts print-prompt-template system_prompt');
  const claude = prompts
    .command('print-cc-system-prompt-override')
    .description('Print the text that replaces the system prompt of Claude Code')
    .action(async () => {
      const { printTemplate } = await import('./prompts.ts');
      await printTemplate('cc_system_prompt_override', environment);
    });
  addExamples(claude, 'claude --system-prompt "$(serena prompts print-cc-system-prompt-override)"');
}

function addOverriding(prompts: Command, { environment, exitWith }: Host): void {
  const create = prompts
    .command('create-override')
    .description('Copy a prompt file to your directory and edit it')
    .argument('<name>', 'prompt file, with or without .yml')
    .action(async (name: string) => {
      const { createOverride } = await import('./prompts.ts');
      exitWith(await createOverride(name, environment));
    });
  addExamples(create, 'serena prompts create-override system_prompt');
  const edit = prompts
    .command('edit-override')
    .description('Edit your copy of a prompt file')
    .argument('<name>', 'prompt file, with or without .yml')
    .action(async (name: string) => {
      const { editOverride } = await import('./prompts.ts');
      exitWith(await editOverride(name, environment));
    });
  addExamples(edit, 'serena prompts edit-override system_prompt');
  const remove = prompts
    .command('delete-override')
    .description('Delete your copy of a prompt file')
    .argument('<name>', 'prompt file, with or without .yml')
    .action(async (name: string) => {
      const { deleteOverride } = await import('./prompts.ts');
      deleteOverride(name, environment);
    });
  addExamples(remove, 'serena prompts delete-override system_prompt');
}
