import type { Command } from 'commander';
import { addExamples, type Host } from '../host.ts';
import type { UninstallFlags } from './uninstall.ts';
import type { UpdateFlags } from './update.ts';

/** Adds `self …`. */
export function addSelfCommands(program: Command, { environment, exitWith }: Host): void {
  const self = program.command('self').description('Update or remove this program');
  const update = self
    .command('update')
    .description('Replace this program by the newest version, after verifying its hash')
    .option('--check', 'only report whether there is a newer version')
    .option('--version <version>', 'install this version instead, also an older one')
    .option('--json', 'print JSON')
    .action(async (flags: UpdateFlags) => {
      const { updateSelf } = await import('./update.ts');
      await updateSelf(flags, environment);
    });
  addExamples(update, 'serena self update', 'serena self update --check', 'serena self update --version 1.2.3');
  const uninstall = self
    .command('uninstall')
    .description('Show what belongs to this program, ask, and remove it')
    .option('--all', 'remove your configuration and global memories as well')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only show what would be removed')
    .action(async (flags: UninstallFlags) => {
      const { uninstallSelf } = await import('./uninstall.ts');
      exitWith(await uninstallSelf(flags, environment));
    });
  addExamples(uninstall, 'serena self uninstall --dry-run', 'serena self uninstall --all');
}
