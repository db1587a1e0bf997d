import { spawn } from 'node:child_process';
import { programCommand, type Runtime } from './client.ts';
import { makeTempDir } from './temp.ts';

/** Options of Bun's engine that `npm test` sets. */
const engine = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('BUN_JSC_')));

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

/** A running program. */
export interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
}

/** Runs our program until it exits. @throws {Error} if it still runs after `timeoutMs` (two minutes). */
export function runProgram(args: readonly string[], options: ProgramOptions = {}): Promise<Ended> {
  return startProgram(args, { timeoutMs: 120_000, ...options }).ended;
}

/** Starts our program. `ended` rejects if it still runs after `timeoutMs`. */
export function startProgram(args: readonly string[], options: ProgramOptions = {}): Started {
  const { wrapper = [], input = '', timeoutMs } = options;
  const home = makeTempDir('home');
  const [command = '', ...rest] = [
    ...wrapper,
    ...(options.binary === undefined ? programCommand(args, options.runtime) : [options.binary, ...args]),
  ];
  const child = spawn(command, rest, {
    cwd: options.cwd ?? home,
    env: {
      ...engine,
      PATH: process.env.PATH,
      HOME: home,
      SERENA_HOME: `${home}/.serena`,
      SERENA_SERVICE: 'off',
      ...options.env,
    },
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
  const ended = new Promise<Ended>((resolve, reject) => {
    const stop = () => {
      child.kill('SIGKILL');
      reject(new Error(`\`${args.join(' ')}\` runs for more than ${timeoutMs} ms\n${output.stdout}\n${output.stderr}`));
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...output });
    });
  });
  return { pid: child.pid ?? 0, ended };
}
