import { spawn } from 'node:child_process';
import { messageOf } from '../../../base/errors.ts';

/** How a client's program ended. */
export interface ProgramEnd {
  /** `undefined` when it did not start, or did not end by itself. */
  readonly code: number | undefined;
  readonly stdout: string;
  /** stdout and stderr as they came, or why it did not start. */
  readonly output: string;
}

// Some clients look for updates, or try the server, before they answer.
const timeoutMs = 60_000;

/** Runs the program at an absolute path to its end, without input. Never rejects. */
export function runClientProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProgramEnd> {
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

/** Windows runs scripts through its shell only. */
function commandFor(program: string, args: readonly string[]): [string, ...string[]] {
  return /\.(cmd|bat)$/i.test(program) ? ['cmd.exe', '/d', '/c', program, ...args] : [program, ...args];
}
