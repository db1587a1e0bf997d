import type { Command } from 'commander';
import type { Environment } from './environment.ts';
import type { StartFlags } from './serve/start-mcp-server.ts';

/** What the command tree needs from its caller. */
export interface Host {
  readonly environment: Environment;
  /** Sets the exit code of the program; the default is 0. */
  exitWith(code: number): void;
  /** Runs another command line and returns its exit code. Never rejects. */
  run(args: readonly string[], environment: Environment): Promise<number>;
  /** Replaces the action of `start-mcp-server`. */
  start?(flags: StartFlags, environment: Environment): Promise<void>;
}

/** Adds example command lines to the end of a command's help. Returns the command. */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  const title = lines.length === 1 ? 'Example' : 'Examples';
  return command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}\n`).join('')}`.trimEnd());
}
