import type { NamedFileKind } from '../../config/named-file.ts';
import { addCommand, type CliCommand, type Host } from '../command.ts';
import type { ConfigShowFlags, FileFlags } from './settings.ts';

// Loaded when a command runs.
const loadOwnFiles = () => import('./own-files.ts');
const loadSettings = () => import('./settings.ts');

/** Adds `config …`, `context …` and `mode …`. */
export function addConfigurationCommands(program: CliCommand, host: Host): void {
  const { environment } = host;
  const config = program.command('config').description('Show and change your configuration');
  addCommand(config, 'edit', 'serena config edit', 'cat $(serena config edit)')
    .description('Edit your configuration, creating it if it does not exist')
    .action(async () => (await loadSettings()).editConfiguration(environment));
  addCommand(config, 'show', 'serena config show', 'serena config show --project . --json')
    .description('Show the effective settings and where each comes from')
    .option('--project <name-or-path>', 'include the configuration of this project')
    .option('--json', 'print JSON')
    .action(async (flags: ConfigShowFlags) => (await loadSettings()).showConfig(flags, environment));
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
function addSettingCommands(config: CliCommand, environment: Host['environment']): void {
  addCommand(config, 'get', 'serena config get tool_timeout', 'serena config get ignored_paths --project .')
    .description('Print the effective value of a setting, and on stderr where it comes from')
    .argument('<key>', 'key of the setting; `a.b` names the key `b` of the map `a`')
    .option('--project <name-or-path>', 'include the configuration of this project')
    .option('--json', 'print the value and its origin as JSON')
    .action(async (key: string, flags: ConfigShowFlags) => (await loadSettings()).getSetting(key, flags, environment));
  addCommand(
    config,
    'set',
    'serena config set tool_timeout 60',
    "serena config set excluded_tools '[execute_shell_command]' --project .",
  )
    .description('Change a setting; comments in the file are kept')
    .argument('<key>', 'key of the setting; `a.b` names the key `b` of the map `a`')
    .argument('<value>', 'new value, in YAML')
    .option('--project <name-or-path>', "write the project's `project.yml` in place of your own configuration")
    .option('--local', "with --project: write the project's `project.local.yml`")
    .action(async (key: string, value: string, flags: FileFlags) =>
      (await loadSettings()).setSetting(key, value, flags, environment),
    );
  addCommand(config, 'unset', 'serena config unset tool_timeout', 'serena config unset ls_specific_settings.go')
    .description('Remove a setting from a configuration file; comments in the file are kept')
    .argument('<key>', 'key of the setting; `a.b` names the key `b` of the map `a`')
    .option('--project <name-or-path>', "change the project's `project.yml` in place of your own configuration")
    .option('--local', "with --project: change the project's `project.local.yml`")
    .action(async (key: string, flags: FileFlags) => (await loadSettings()).removeSetting(key, flags, environment));
  addCommand(config, 'path', 'serena config path', 'serena config path --project . --local')
    .description('Print the path of a configuration file')
    .option('--project <name-or-path>', "print the path of the project's `project.yml`")
    .option('--local', "with --project: print the path of the project's `project.local.yml`")
    .action(async (flags: FileFlags) => (await loadSettings()).printPath(flags, environment));
}

function addNamedFileCommands(group: CliCommand, kind: NamedFileKind, { environment }: Host): void {
  const what = group.name();
  const example = kind === 'contexts' ? 'ide' : 'planning';
  addCommand(group, 'list', `serena ${what} list`)
    .description(`List all ${kind} and where each comes from`)
    .option('--json', 'print JSON')
    .action(async (flags: { json?: boolean }) => (await loadOwnFiles()).listFiles(kind, flags, environment));
  addCommand(group, 'create', `serena ${what} create --name mine --from-internal ${example}`)
    .description(`Create a ${what} of your own and edit it`)
    .option('-n, --name <name>', `name of the new ${what} (default: the name of the copied one)`)
    .option('--from-internal <name>', `built-in ${what} to copy`)
    .action(async (flags: { name?: string; fromInternal?: string }) =>
      (await loadOwnFiles()).createFile(kind, flags, environment),
    );
  addCommand(group, 'edit', `serena ${what} edit mine`)
    .description(`Edit a ${what} that you created`)
    .argument('<name>', `name of the ${what}`)
    .action(async (name: string) => (await loadOwnFiles()).editFile(kind, name, environment));
  addShowAndDelete(group, kind, environment);
}

function addShowAndDelete(group: CliCommand, kind: NamedFileKind, environment: Host['environment']): void {
  const what = group.name();
  addCommand(group, 'show', `serena ${what} show ${kind === 'contexts' ? 'ide' : 'planning'}`)
    .description(`Print the text of a ${what}`)
    .argument('<name>', `name of the ${what}`)
    .action(async (name: string) => (await loadOwnFiles()).showFile(kind, name, environment));
  addCommand(group, 'delete', `serena ${what} delete mine`)
    .description(`Delete a ${what} that you created`)
    .argument('<name>', `name of the ${what}`)
    .action(async (name: string) => (await loadOwnFiles()).deleteFile(kind, name, environment));
}

/** Adds `prompts …`. */
export function addPromptCommands(program: CliCommand, host: Host): void {
  const prompts = program.command('prompts').description('Manage prompts: texts that agents read');
  addShowing(prompts, host);
  addOverriding(prompts, host);
}

function addShowing(prompts: CliCommand, { environment }: Host): void {
  addCommand(prompts, 'list', 'serena prompts list')
    .description('List the prompts, their sources, and the files that define them')
    .option('--json', 'print JSON')
    .action(async (flags: { json?: boolean }) => (await loadOwnFiles()).listAllPrompts(flags, environment));
  addCommand(prompts, 'list-overrides', 'serena prompts list-overrides')
    .description('List your override files')
    .action(async () => (await loadOwnFiles()).listOverrides(environment));
  addCommand(prompts, 'print-prompt-template', 'serena prompts print-prompt-template system_prompt')
    .description('Print a prompt template without expanding its placeholders')
    .argument('<prompt>', 'name of the prompt')
    .action(async (name: string) => (await loadOwnFiles()).printTemplate(name, environment));
  addCommand(
    prompts,
    'print-cc-system-prompt-override',
    'claude --system-prompt "$(serena prompts print-cc-system-prompt-override)"',
  )
    .description('Print the text that replaces the system prompt of Claude Code')
    .action(async () => (await loadOwnFiles()).printTemplate('cc_system_prompt_override', environment));
}

function addOverriding(prompts: CliCommand, { environment }: Host): void {
  addCommand(prompts, 'create-override', 'serena prompts create-override system_prompt')
    .description('Copy a prompt file to your directory and edit it')
    .argument('<name>', 'prompt file, with or without .yml')
    .action(async (name: string) => (await loadOwnFiles()).createOverride(name, environment));
  addCommand(prompts, 'edit-override', 'serena prompts edit-override system_prompt')
    .description('Edit your copy of a prompt file')
    .argument('<name>', 'prompt file, with or without .yml')
    .action(async (name: string) => (await loadOwnFiles()).editOverride(name, environment));
  addCommand(prompts, 'delete-override', 'serena prompts delete-override system_prompt')
    .description('Delete your copy of a prompt file')
    .argument('<name>', 'prompt file, with or without .yml')
    .action(async (name: string) => (await loadOwnFiles()).deleteOverride(name, environment));
}
