import type { Command } from 'commander';
import type { NamedFileKind } from '../../config/named-file.ts';
import { addExamples, type Host } from '../host.ts';
import type { ConfigShowFlags } from './show.ts';

/** Adds `config …`, `context …` and `mode …`. */
export function addConfigurationCommands(program: Command, host: Host): void {
  const { environment, exitWith } = host;
  const config = program.command('config').description('Show and edit your configuration');
  const edit = config
    .command('edit')
    .description('Edit your configuration, creating it if it does not exist')
    .action(async () => {
      const { editConfiguration } = await import('./edit.ts');
      exitWith(await editConfiguration(environment));
    });
  addExamples(edit, 'serena config edit', 'cat $(serena config edit)');
  const show = config
    .command('show')
    .description('Show the effective settings and where each comes from')
    .option('--project <name-or-path>', 'include the configuration of this project')
    .option('--json', 'print JSON')
    .action(async (flags: ConfigShowFlags) => {
      const { showConfig } = await import('./show.ts');
      await showConfig(flags, environment);
    });
  addExamples(show, 'serena config show', 'serena config show --project . --json');
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
