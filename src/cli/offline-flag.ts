import type { Command } from 'commander';

/** Commands that may download a language server; a group stands for all of its commands. */
const fetching = [
  'start-mcp-server',
  'tools call',
  'servers install',
  'servers prefetch',
  'servers pack',
  'servers run',
];

/** Adds `--offline` to the commands of `program` that may download something; it sets `SERENA_OFFLINE=1` in `env`. */
export function addOfflineFlag(program: Command, env: Record<string, string | undefined>): void {
  for (const path of fetching) {
    const named = path
      .split(' ')
      .reduce<Command | undefined>(
        (above, name) => above?.commands.find((command) => command.name() === name),
        program,
      );
    for (const command of named === undefined ? [] : leavesOf(named)) {
      command.option('--offline', 'disable network access and use only what is on this machine');
    }
  }
  program.hook('preAction', (_program, command) => {
    if (command.opts().offline === true) env.SERENA_OFFLINE = '1';
  });
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}
