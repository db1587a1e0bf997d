import type { Command } from 'commander';
import { addExamples, type Host } from '../host.ts';
import type { LogFlags } from './logs.ts';

/** Adds `logs`. */
export function addLogsCommand(program: Command, { environment, exitWith }: Host): void {
  const logs = program
    .command('logs')
    .description('List the log files, print one, or remove them')
    .argument('[file]', 'file to print: a name from the list, the end of one, or `latest`')
    .option('--follow', 'go on printing what is added, until interrupted')
    .option('--clean', 'remove all log files except those of running processes')
    .option('--json', 'print the list as JSON')
    .action(async (file: string | undefined, flags: LogFlags) => {
      const { logs: runLogs } = await import('./logs.ts');
      exitWith(await runLogs(file, flags, environment));
    });
  addExamples(logs, 'serena logs', 'serena logs latest --follow', 'serena logs --clean');
}
