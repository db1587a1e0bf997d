import { spawn } from 'node:child_process';
import { messageOf } from '../../../base/errors.ts';

/** Result of running a client's program. */
export interface ProgramResult {
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
): Promise<ProgramResult> {
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
