import { existsSync } from 'node:fs';
import { ExpectedError } from '../../../base/errors.ts';
import { findProgram } from '../../../base/process/find-program.ts';
import { keepCopy } from './change-file.ts';
import type { Client, ClientProgram } from './client.ts';
import { commandLine } from './command-line.ts';
import { runClientProgram } from './run-program.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the absolute path of a client's program if it is on `PATH` and passes its probes, else `undefined`. */
export async function findClientProgram(program: ClientProgram, env: Env): Promise<string | undefined> {
  const path = findProgram(program.name, env);
  if (path === undefined) return undefined;
  for (const { args, fits } of program.probes) {
    const { code, stdout } = await runClientProgram(path, args, env);
    if (code !== 0 || !fits.test(stdout)) return undefined;
  }
  return path;
}

/** Result of configuring a client through its program. */
export interface ProgramResult {
  readonly outcome: 'added' | 'replaced' | 'unchanged';
  /** Absolute path of a copy of the client's configuration file, made before its entry was removed. */
  readonly backup?: string | undefined;
}

/**
 * Adds `command` to a client's servers through the client's own program at absolute `path`. An entry of the reference
 * product, or of this program at another path, is replaced. `file` is the client's configuration file.
 *
 * @throws {ExpectedError} `client.refused` with the program's output.
 */
export async function configureProgram(
  client: Client & { program: ClientProgram },
  path: string,
  options: { command: readonly string[]; env: Env; file: string },
): Promise<ProgramResult> {
  const { program } = client;
  const { command, env, file } = options;
  const add = () => runClientProgram(path, [...program.add, '--', ...command], env);
  const added = await add();
  if (added.code === 0) return { outcome: 'added' };
  const shown = await runClientProgram(path, program.show, env);
  const isThere = shown.code === 0;
  if (isThere && command.every((word) => shown.output.includes(word))) return { outcome: 'unchanged' };
  if (!isThere || !isSerena(shown.output)) throw refused(client, added.output, isThere);
  const backup = existsSync(file) ? keepCopy(file) : undefined;
  const removed = await runClientProgram(path, program.remove, env);
  const again = removed.code === 0 ? await add() : removed;
  if (again.code !== 0) throw refused(client, again.output, removed.code !== 0);
  return { outcome: 'replaced', backup };
}

/** True for the reference product, run through `uvx` or from its repository, and for this program at another path. */
function isSerena(shown: string): boolean {
  return /\bserena-mcp-server\b|\bserena-agent\b|oraios\/serena|\bserena(\.exe)?\b[^\n]*\n?[^\n]*\bstart-mcp-server\b/.test(
    shown,
  );
}

function refused(client: Client & { program: ClientProgram }, output: string, isThere: boolean): ExpectedError {
  const again = `serena setup ${client.id}`;
  const remove = commandLine([client.program.name, ...client.program.remove]);
  return new ExpectedError('client.refused', `${client.name} did not add the server\n${output.trim()}`, {
    hints: [
      isThere
        ? `remove the server of that name with \`${remove}\`, then run \`${again}\` again`
        : `run \`${again}\` again`,
      `run \`${again} --print\` to see what to add manually`,
    ],
  });
}
