import type { Command } from 'commander';
import { addExamples, type Host } from '../host.ts';

/** Adds `service …`. */
export function addServiceCommands(program: Command, { environment, exitWith, run: runCommandLine }: Host): void {
  const service = program.command('service').description('Show and control the background service that clients share');
  const status = service
    .command('status')
    .description('Show the process, its clients and its language servers')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { showStatus } = await import('./control.ts');
      exitWith(await showStatus(options, environment));
    });
  addExamples(status, 'serena service status --json');
  const stop = service
    .command('stop')
    .description('Stop the service until a client needs it again')
    .action(async () => {
      const { stopService } = await import('./control.ts');
      exitWith(await stopService(environment));
    });
  addExamples(stop, 'serena service stop');
  const restart = service
    .command('restart')
    .description('Stop the service and start another')
    .action(async () => {
      const { restartService } = await import('./control.ts');
      exitWith(await restartService(environment));
    });
  addExamples(restart, 'serena service restart');
  const logs = service
    .command('logs')
    .description('Print the log of the running service')
    .action(async () => {
      const { printLog } = await import('./control.ts');
      exitWith(await printLog(environment));
    });
  addExamples(logs, 'serena service logs');
  const run = service
    .command('run')
    .description('Run the service in this process; clients start it themselves')
    .action(async () => {
      const { runService } = await import('./run-service.ts');
      exitWith(await runService(environment, runCommandLine));
    });
  addExamples(run, 'serena service run');
}
