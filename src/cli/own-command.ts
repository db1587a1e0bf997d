import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program with its first arguments. */
export type OwnCommand = readonly [program: string, ...args: string[]];

/**
 * Returns how to start this program once more: the compiled program by its absolute path, its sources by the runtime that
 * runs them now. `mainUrl` is the address of `main.ts`.
 */
export function ownCommand(isCompiled: boolean, mainUrl: string): OwnCommand {
  if (isCompiled) return [process.execPath];
  const run = 'Deno' in globalThis ? ['run', '-A'] : ['run', '--no-install'];
  return [process.execPath, ...run, fileURLToPath(mainUrl)];
}

/**
 * Returns the arguments that a start under the name `argv0` stands for: a link called `serena-hooks` to this program is
 * `serena hooks`, as configurations of clients have it.
 */
export function argumentsOf(argv0: string, given: readonly string[]): readonly string[] {
  return /^serena-hooks(\.exe)?$/i.test(basename(argv0)) ? ['hooks', ...given] : given;
}
