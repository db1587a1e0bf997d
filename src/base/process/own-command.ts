import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program with its first arguments. */
export type OwnCommand = readonly [program: string, ...args: string[]];

/**
 * Returns the command that starts this program again: the absolute path of the compiled program, or the current runtime
 * with the sources. `mainUrl` is the URL of `main.ts`.
 */
export function ownCommand(isCompiled: boolean, mainUrl: string): OwnCommand {
  if (isCompiled) return [process.execPath];
  const run = 'Deno' in globalThis ? ['run', '-A'] : ['run', '--no-install'];
  return [process.execPath, ...run, fileURLToPath(mainUrl)];
}

/** The argument with which this program runs the scripts of a session for another process of itself. */
export const scriptCommand = 'run-scripts';

/**
 * Returns the arguments for a start under the name `argv0`: client configurations run `serena-hooks`, a link to this
 * program, which means `serena hooks`.
 */
export function argumentsOf(argv0: string, given: readonly string[]): readonly string[] {
  return /^serena-hooks(\.exe)?$/i.test(basename(argv0)) ? ['hooks', ...given] : given;
}
