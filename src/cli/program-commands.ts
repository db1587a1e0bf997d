import { Argument, type Command } from 'commander';
import { addExamples, type Host } from './command.ts';
import type { LogFlags } from './logs.ts';
import type { UninstallFlags } from './self/uninstall.ts';
import type { UpdateFlags } from './self/update.ts';

/** Adds `doctor`. */
export function addDoctorCommand(program: Command, { environment, exitWith }: Host): void {
  const doctor = program
    .command('doctor')
    .description('Show what is configured, installed and missing, and how to fix problems')
    .option('--project <name-or-path>', 'project to check (default: the one that contains the working directory)')
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; json?: boolean }) => {
      const { examine } = await import('./doctor.ts');
      exitWith(await examine(options, environment));
    });
  addExamples(doctor, 'serena doctor', 'serena doctor --project ~/shop --json');
}

/** Adds `self-check`. */
export function addSelfCheckCommand(program: Command, { environment, exitWith }: Host): void {
  const selfCheck = program
    .command('self-check')
    .description('Check that this program is intact and works, and show what it was built from')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { checkSelf } = await import('./self-check/self-check.ts');
      exitWith(await checkSelf(options, environment));
    });
  addExamples(selfCheck, 'serena self-check');
}

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
      const { updateSelf } = await import('./self/update.ts');
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
      const { uninstallSelf } = await import('./self/uninstall.ts');
      exitWith(await uninstallSelf(flags, environment));
    });
  addExamples(uninstall, 'serena self uninstall --dry-run', 'serena self uninstall --all');
}

/** Adds `service …`. */
export function addServiceCommands(program: Command, { environment, exitWith, run: runCommandLine }: Host): void {
  const service = program.command('service').description('Show and control the background service that clients share');
  const status = service
    .command('status')
    .description('Show the process, its clients and its language servers')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { showStatus } = await import('./service/control.ts');
      exitWith(await showStatus(options, environment));
    });
  addExamples(status, 'serena service status --json');
  const stop = service
    .command('stop')
    .description('Stop the service until a client needs it again')
    .action(async () => {
      const { stopService } = await import('./service/control.ts');
      exitWith(await stopService(environment));
    });
  addExamples(stop, 'serena service stop');
  const restart = service
    .command('restart')
    .description('Stop the service and start another')
    .action(async () => {
      const { restartService } = await import('./service/control.ts');
      exitWith(await restartService(environment));
    });
  addExamples(restart, 'serena service restart');
  const logs = service
    .command('logs')
    .description('Print the log of the running service')
    .action(async () => {
      const { printLog } = await import('./service/control.ts');
      exitWith(await printLog(environment));
    });
  addExamples(logs, 'serena service logs');
  const run = service
    .command('run')
    .description('Run the service in this process; clients start it themselves')
    .action(async () => {
      const { runService } = await import('./service/run-service.ts');
      exitWith(await runService(environment, runCommandLine));
    });
  addExamples(run, 'serena service run');
}

/** Adds `dashboard`. */
export function addDashboardCommand(program: Command, { environment, exitWith }: Host): void {
  const dashboard = program
    .command('dashboard')
    .description('Open a page with sessions, calls, language servers, memories and edits in the browser')
    .option('--no-open', 'only print the URL')
    .action(async (options: { open: boolean }) => {
      const { showDashboard } = await import('./dashboard/show-dashboard.ts');
      exitWith(await showDashboard(options, environment));
    });
  addExamples(dashboard, 'serena dashboard', 'serena dashboard --no-open');
}

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

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Adds `completions`, which must be the last command so that the program has all others when it runs. */
export function addCompletionsCommand(program: Command): void {
  const command = program
    .command('completions')
    .description('Print the completions of this command line for a shell')
    .addArgument(new Argument('<shell>', 'shell').choices(shells))
    .action(async (shell: (typeof shells)[number]) => {
      const { printCompletions } = await import('./completions.ts');
      printCompletions(shell, program);
    });
  addExamples(
    command,
    'eval "$(serena completions bash)"                                   # in ~/.bashrc',
    'serena completions zsh > ~/.zfunc/_serena                           # in a directory of fpath',
    'serena completions fish > ~/.config/fish/completions/serena.fish',
    'serena completions powershell | Out-String | Invoke-Expression      # in $PROFILE',
  );
}
