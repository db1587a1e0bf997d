import type { Command } from 'commander';
import { commandTree } from '../../src/cli/cli.ts';

/** Returns all commands, for whoever reads their declarations: none of them can be run. */
export function declaredCommands(version = ''): Command {
  const workerUrl = new URL('file:///');
  const environment = { env: {}, cwd: '/', command: ['serena'] as const, workerUrl, build: undefined, version };
  return commandTree(environment, () => undefined);
}
