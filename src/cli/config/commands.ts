import type { Command } from 'commander';
import type { NamedFileKind } from '../../config/named-file.ts';
import { addExamples, type Host } from '../command.ts';
import type { ConfigShowFlags, FileFlags } from './settings.ts';

/** Adds `config …`, `context …` and `mode …`. */
export function addConfigurationCommands(program: Command, host: Host): void {
  const { environment, exitWith } = host;
  const config = program.command('config').description('Show and change your configuration');
  const edit = config
    .command('edit')
    .description('Edit your configuration, creating it if it does not exist')
    .action(async () => {
      const { editConfiguration } = await import('./settings.ts');
      exitWith(await editConfiguration(environment));
    });
  addExamples(edit, 'serena config edit', 'cat $(serena config edit)');
  const show = config
    .command('show')
    .description('Show the effective settings and where each comes from')
    .option('--project <name-or-path>', 'include the configuration of this project')
    .option('--json', 'print JSON')
    .action(async (flags: ConfigShowFlags) => {
      const { showConfig } = await import('./settings.ts');
      await showConfig(flags, environment);
    });
  addExamples(show, 'serena config show', 'serena config show --project . --json');
  addSettingCommands(config, environment);
  addNamedFileCommands(
    program.command('context').description('Manage contexts: settings for one client'),
    'contexts',
    host,
  );
  addNamedFileCommands(
    program.command('mode').description('Manage modes: settings for one way of working'),
    'modes',
    host,
  );
}

/** Adds `config get`, `config set`, `config unset` and `config path`. */
function addSettingCommands(config: Command, environment: Host['environment']): void {
  const get = config
    .command('get')
    .description('Print the effective value of a setting, and on stderr where it comes from')
    .argument('<key>', 'key of the setting; `a.b` names the key `b` of the map `a`')
    .option('--project <name-or-path>', 'include the configuration of this project')
    .option('--json', 'print the value and its origin as JSON')
    .action(async (key: string, flags: ConfigShowFlags) => {
      const { getSetting } = await import('./settings.ts');
      await getSetting(key, flags, environment);
    });
  addExamples(get, 'serena config get tool_timeout', 'serena config get ignored_paths --project .');
  const set = config
    .command('set')
    .description('Change a setting; comments in the file are kept')
    .argument('<key>', 'key of the setting; `a.b` names the key `b` of the map `a`')
    .argument('<value>', 'new value, in YAML')
    .option('--project <name-or-path>', "write the project's `project.yml` in place of your own configuration")
    .option('--local', "with --project: write the project's `project.local.yml`")
    .action(async (key: string, value: string, flags: FileFlags) => {
      const { setSetting } = await import('./settings.ts');
      await setSetting(key, value, flags, environment);
    });
  addExamples(
    set,
    'serena config set tool_timeout 60',
    "serena config set excluded_tools '[execute_shell_command]' --project .",
  );
  const unset = config
    .command('unset')
    .description('Remove a setting from a configuration file; comments in the file are kept')
    .argument('<key>', 'key of the setting; `a.b` names the key `b` of the map `a`')
    .option('--project <name-or-path>', "change the project's `project.yml` in place of your own configuration")
    .option('--local', "with --project: change the project's `project.local.yml`")
    .action(async (key: string, flags: FileFlags) => {
      const { removeSetting } = await import('./settings.ts');
      await removeSetting(key, flags, environment);
    });
  addExamples(unset, 'serena config unset tool_timeout', 'serena config unset ls_specific_settings.go');
  const path = config
    .command('path')
    .description('Print the path of a configuration file')
    .option('--project <name-or-path>', "print the path of the project's `project.yml`")
    .option('--local', "with --project: print the path of the project's `project.local.yml`")
    .action(async (flags: FileFlags) => {
      const { printPath } = await import('./settings.ts');
      await printPath(flags, environment);
    });
  addExamples(path, 'serena config path', 'serena config path --project . --local');
}

function addNamedFileCommands(group: Command, kind: NamedFileKind, { environment, exitWith }: Host): void {
  const what = group.name();
  const example = kind === 'contexts' ? 'ide' : 'planning';
  const list = group
    .command('list')
    .description(`List all ${kind} and where each comes from`)
    .option('--json', 'print JSON')
    .action(async (flags: { json?: boolean }) => {
      const { listFiles } = await import('./named-files.ts');
      listFiles(kind, flags, environment);
    });
  addExamples(list, `serena ${what} list`);
  const create = group
    .command('create')
    .description(`Create a ${what} of your own and edit it`)
    .option('-n, --name <name>', `name of the new ${what} (default: the name of the copied one)`)
    .option('--from-internal <name>', `built-in ${what} to copy`)
    .action(async (flags: { name?: string; fromInternal?: string }) => {
      const { createFile } = await import('./named-files.ts');
      exitWith(await createFile(kind, flags, environment));
    });
  addExamples(create, `serena ${what} create --name mine --from-internal ${example}`);
  const edit = group
    .command('edit')
    .description(`Edit a ${what} that you created`)
    .argument('<name>', `name of the ${what}`)
    .action(async (name: string) => {
      const { editFile } = await import('./named-files.ts');
      exitWith(await editFile(kind, name, environment));
    });
  addExamples(edit, `serena ${what} edit mine`);
  addShowAndDelete(group, kind, environment);
}

function addShowAndDelete(group: Command, kind: NamedFileKind, environment: Host['environment']): void {
  const what = group.name();
  const show = group
    .command('show')
    .description(`Print the text of a ${what}`)
    .argument('<name>', `name of the ${what}`)
    .action(async (name: string) => {
      const { showFile } = await import('./named-files.ts');
      await showFile(kind, name, environment);
    });
  addExamples(show, `serena ${what} show ${kind === 'contexts' ? 'ide' : 'planning'}`);
  const remove = group
    .command('delete')
    .description(`Delete a ${what} that you created`)
    .argument('<name>', `name of the ${what}`)
    .action(async (name: string) => {
      const { deleteFile } = await import('./named-files.ts');
      deleteFile(kind, name, environment);
    });
  addExamples(remove, `serena ${what} delete mine`);
}

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
