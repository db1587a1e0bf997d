import { Argument } from 'commander';
import { addCommand, type CliCommand, type Host } from './command.ts';
import type { LogFlags } from './logs.ts';
import type { UninstallFlags } from './self/uninstall.ts';
import type { UpdateFlags } from './self/update.ts';

// Loaded when a command runs.
const loadControl = () => import('./service/control.ts');

/** Adds `doctor`. */
export function addDoctorCommand(program: CliCommand, { environment }: Host): void {
  addCommand(program, 'doctor', 'serena doctor', 'serena doctor --project ~/shop --json')
    .description('Show what is configured, installed and missing, and how to fix problems')
    .option('--project <name-or-path>', 'project to check (default: the one that contains the working directory)')
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; json?: boolean }) =>
      (await import('./doctor.ts')).examine(options, environment),
    );
}

/** Adds `self-check`. */
export function addSelfCheckCommand(program: CliCommand, { environment }: Host): void {
  addCommand(program, 'self-check', 'serena self-check')
    .description('Check that this program is intact and works, and show what it was built from')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) =>
      (await import('./self-check/self-check.ts')).checkSelf(options, environment),
    );
}

/** Adds `self …`. */
export function addSelfCommands(program: CliCommand, { environment }: Host): void {
  const self = program.command('self').description('Update or remove this program');
  addCommand(self, 'update', 'serena self update', 'serena self update --check', 'serena self update --version 1.2.3')
    .description('Replace this program by the newest version, after verifying its hash')
    .option('--check', 'only report whether there is a newer version')
    .option('--version <version>', 'install this version instead, also an older one')
    .option('--json', 'print JSON')
    .action(async (flags: UpdateFlags) => (await import('./self/update.ts')).updateSelf(flags, environment));
  addCommand(self, 'uninstall', 'serena self uninstall --dry-run', 'serena self uninstall --all')
    .description('Show what belongs to this program, ask, and remove it')
    .option('--all', 'remove your configuration and global memories as well')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only show what would be removed')
    .action(async (flags: UninstallFlags) => (await import('./self/uninstall.ts')).uninstallSelf(flags, environment));
}

/** Adds `service …`. */
export function addServiceCommands(program: CliCommand, { environment, run: runCommandLine }: Host): void {
  const service = program.command('service').description('Show and control the background service that clients share');
  addCommand(service, 'status', 'serena service status --json')
    .description('Show the process, its clients and its language servers')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await loadControl()).showStatus(options, environment));
  addCommand(service, 'stop', 'serena service stop')
    .description('Stop the service until a client needs it again')
    .action(async () => (await loadControl()).stopService(environment));
  addCommand(service, 'restart', 'serena service restart')
    .description('Stop the service and start another')
    .action(async () => (await loadControl()).restartService(environment));
  addCommand(service, 'logs', 'serena service logs')
    .description('Print the log of the running service')
    .action(async () => (await loadControl()).printLog(environment));
  addCommand(service, 'run', 'serena service run')
    .description('Run the service in this process; clients start it themselves')
    .action(async () => (await import('./service/run-service.ts')).runService(environment, runCommandLine));
}

/** Adds `dashboard`. */
export function addDashboardCommand(program: CliCommand, { environment }: Host): void {
  addCommand(program, 'dashboard', 'serena dashboard', 'serena dashboard --no-open')
    .description('Open a page with sessions, calls, language servers, memories and edits in the browser')
    .option('--no-open', 'only print the URL')
    .action(async (options: { open: boolean }) =>
      (await import('./dashboard/show-dashboard.ts')).showDashboard(options, environment),
    );
}

/** Adds `logs`. */
export function addLogsCommand(program: CliCommand, { environment }: Host): void {
  addCommand(program, 'logs', 'serena logs', 'serena logs latest --follow', 'serena logs --clean')
    .description('List the log files, print one, or remove them')
    .argument('[file]', 'file to print: a name from the list, the end of one, or `latest`')
    .option('--follow', 'go on printing added lines, until interrupted')
    .option('--clean', 'remove all log files except those of running processes')
    .option('--json', 'print the list as JSON')
    .action(async (file: string | undefined, flags: LogFlags) => {
      const { logs: runLogs } = await import('./logs.ts');
      return runLogs(file, flags, environment);
    });
}

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Adds `completions`, which must be the last command so that the program has all others when it runs. */
export function addCompletionsCommand(program: CliCommand): void {
  addCommand(
    program,
    'completions',
    'eval "$(serena completions bash)"                                   # in ~/.bashrc',
    'serena completions zsh > ~/.zfunc/_serena                           # in a directory of fpath',
    'serena completions fish > ~/.config/fish/completions/serena.fish',
    'serena completions powershell | Out-String | Invoke-Expression      # in $PROFILE',
  )
    .description('Print the completions of this command line for a shell')
    .addArgument(new Argument('<shell>', 'shell').choices(shells))
    .action(async (shell: (typeof shells)[number]) =>
      (await import('./completions.ts')).printCompletions(shell, program),
    );
}
