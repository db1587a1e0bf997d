import type { Command } from 'commander';
import { commandTree } from '../../src/cli/cli.ts';

/** Returns all commands, for whoever reads their declarations: none of them can be run. */
export function declaredCommands(version = ''): Command {
  return commandTree({
    environment: { env: {}, cwd: '/', command: ['serena'], workerUrl: new URL('file:///'), build: undefined, version },
    exitWith: () => undefined,
  });
}
