import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { commandLine } from '../stable-command.ts';
import { keepCopy } from './change-file.ts';
import type { Client, ClientProgram } from './clients.ts';

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

interface ProgramResult {
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

/** Result of running a client's program. */
interface ProgramRun {
  /** `undefined` if it did not start, or was killed. */
  readonly code: number | undefined;
  readonly stdout: string;
  /** stdout and stderr interleaved, or why the program did not start. */
  readonly output: string;
}

// Some clients check for updates, or try to start the server, first.
const timeoutMs = 60_000;

/** Runs the program at an absolute path to its end, without input. Never rejects. */
export function runClientProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProgramRun> {
  return new Promise((resolve) => {
    const [command, ...all] = commandFor(program, args);
    const child = spawn(command, all, {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      windowsHide: true,
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', (error) => resolve({ code: undefined, stdout, output: messageOf(error) }));
    child.once('close', (code) => resolve({ code: code ?? undefined, stdout, output }));
  });
}

/** On Windows, scripts run only through the shell. */
function commandFor(program: string, args: readonly string[]): [string, ...string[]] {
  return /\.(cmd|bat)$/i.test(program) ? ['cmd.exe', '/d', '/c', program, ...args] : [program, ...args];
}
