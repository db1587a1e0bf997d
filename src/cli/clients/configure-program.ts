import { ExpectedError } from '../../base/errors.ts';
import { findProgram } from '../../base/find-program.ts';
import type { Client, ClientProgram } from './client.ts';
import { commandLine } from './command-line.ts';
import { runClientProgram } from './run-program.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the absolute path of a client's program if it is on `PATH` and is what its name says, else `undefined`. */
export async function findClientProgram(program: ClientProgram, env: Env): Promise<string | undefined> {
  const path = findProgram(program.name, env);
  if (path === undefined) return undefined;
  for (const { args, fits } of program.probes) {
    const { code, stdout } = await runClientProgram(path, args, env);
    if (code !== 0 || !fits.test(stdout)) return undefined;
  }
  return path;
}

/**
 * Makes a client's own program, at absolute `path`, add `command` to its servers. Returns whether it changed anything.
 *
 * @throws {ExpectedError} `client.refused` with what the program says.
 */
export async function configureProgram(
  client: Client & { program: ClientProgram },
  path: string,
  options: { command: readonly string[]; env: Env },
): Promise<'added' | 'unchanged'> {
  const { program } = client;
  const { command, env } = options;
  const added = await runClientProgram(path, [...program.add, '--', ...command], env);
  if (added.code === 0) return 'added';
  const shown = await runClientProgram(path, program.show, env);
  const isThere = shown.code === 0;
  if (isThere && command.every((word) => shown.output.includes(word))) return 'unchanged';
  const again = `serena setup ${client.id}`;
  const remove = commandLine([program.name, ...program.remove]);
  throw new ExpectedError('client.refused', `${client.name} did not add the server\n${added.output.trim()}`, {
    hints: [
      isThere
        ? `Remove the server of that name with \`${remove}\`, then run \`${again}\` again`
        : `Run \`${again}\` again`,
      `Run \`${again} --print\` to see what to add yourself`,
    ],
  });
}
