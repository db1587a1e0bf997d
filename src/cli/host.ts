import type { Command } from 'commander';
import type { Environment } from './environment.ts';

/** What the command tree is built for. */
export interface Host {
  readonly environment: Environment;
  /** Sets the exit code of the program; without a call it is 0. */
  exitWith(code: number): void;
}

/** Adds examples, as they are typed after a prompt, to the end of a command's help. Returns the command. */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  const title = lines.length === 1 ? 'Example' : 'Examples';
  return command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}\n`).join('')}`.trimEnd());
}
