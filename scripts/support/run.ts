import { spawn } from 'node:child_process';
import { root } from './paths.ts';

export interface ProcessResult {
  /** The exit code; 1 if the program was killed by a signal or did not start. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly tookMs: number;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Variables added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Passes the program's output through to stdout and stderr; it is then not returned. */
  readonly isShown?: boolean;
  /** Time after which the program is killed and counts as failed. */
  readonly timeoutMs?: number;
  /** What the program reads from its standard input, which is empty by default. */
  readonly input?: string;
  /** Ends the program with SIGTERM. */
  readonly signal?: AbortSignal;
}

/** How long the output of a program that has ended may stay open: by then it has been read, unless another process has it. */
const drainMs = 10_000;

/** Runs a program to its end, by default in the root of the checkout. Never rejects. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<ProcessResult> {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: [
      options.input === undefined ? 'ignore' : 'pipe',
      options.isShown ? 'inherit' : 'pipe',
      options.isShown ? 'inherit' : 'pipe',
    ],
    shell: command.endsWith('.cmd'),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs, killSignal: 'SIGKILL' }),
  });
  // A program that ends without reading it closes the pipe; its exit code says whether it failed.
  child.stdin?.on('error', () => undefined).end(options.input);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  return new Promise((resolve) => {
    const finish = (exitCode: number, problem = '') =>
      resolve({
        exitCode,
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8') + problem,
        tookMs: performance.now() - startedAt,
      });
    child.once('error', (error) => finish(1, `cannot start \`${command}\`: ${error.message}\n`));
    child.once('close', (code, signal) => finish(code ?? 1, signal === null ? '' : `Ended by ${signal}\n`));
    child.once('exit', () => {
      const leave = () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        finish(1, 'A process that it started still runs and has its output open\n');
      };
      const timer = setTimeout(leave, drainMs);
      child.once('close', () => clearTimeout(timer));
    });
  });
}

/** Returns `1.2 s` or `340 ms`. */
export function renderMs(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
