import type { Command } from 'commander';
import { addExamples, type Host } from '../host.ts';

/** Adds `self-check`. */
export function addSelfCheckCommand(program: Command, { environment, exitWith }: Host): void {
  const selfCheck = program
    .command('self-check')
    .description('Check that this program is intact and works, and show what it was built from')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { checkSelf } = await import('./self-check.ts');
      exitWith(await checkSelf(options, environment));
    });
  addExamples(selfCheck, 'serena self-check');
}
