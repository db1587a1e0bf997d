import { spawn } from 'node:child_process';
import { programCommand, type Runtime } from './client.ts';
import { makeTempDir } from './temp.ts';

/** Exit code and output of a finished run of the program. */
export interface Ended {
  /** `null` if a signal ended the program. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  /** The environment besides `PATH`, `HOME` (an empty directory) and `SERENA_HOME` (below it). */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Content of stdin, which is then closed. */
  readonly input?: string;
  /** Command and arguments of a program that runs ours. */
  readonly wrapper?: readonly string[];
  readonly runtime?: Runtime;
  /** Absolute path of another build of the program. */
  readonly binary?: string;
  readonly timeoutMs?: number;
}

/** Runs our program until it exits. @throws {Error} if it still runs after `timeoutMs` (20 s). */
export function runProgram(args: readonly string[], options: ProgramOptions = {}): Promise<Ended> {
  const { wrapper = [], input = '', timeoutMs = 20_000 } = options;
  const home = makeTempDir('home');
  const [command = '', ...rest] = [
    ...wrapper,
    ...(options.binary === undefined ? programCommand(args, options.runtime) : [options.binary, ...args]),
  ];
  const child = spawn(command, rest, {
    cwd: options.cwd ?? home,
    env: { PATH: process.env.PATH, HOME: home, SERENA_HOME: `${home}/.serena`, ...options.env },
    stdio: 'pipe',
  });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  // A program that exits at once does not read its stdin.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`\`${args.join(' ')}\` runs for more than ${timeoutMs} ms\n${output.stdout}\n${output.stderr}`));
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...output });
    });
  });
}
