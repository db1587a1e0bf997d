import { spawn } from 'node:child_process';
import { root } from './paths.ts';

export interface Ran {
  /** 0 for success, 1 for a program that was ended by a signal or did not start. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly tookMs: number;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Additions to our own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Lets what the program writes through to our stdout and stderr as it comes; it is then not returned. */
  readonly isShown?: boolean;
  /** After this the program is killed and counts as failed. */
  readonly timeoutMs?: number;
  /** Ends the program with SIGTERM. */
  readonly signal?: AbortSignal;
}

/** Runs a program to its end; in the checkout's root unless told otherwise. Never rejects. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', options.isShown ? 'inherit' : 'pipe', options.isShown ? 'inherit' : 'pipe'],
    shell: command.endsWith('.cmd'),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs, killSignal: 'SIGKILL' }),
  });
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
    child.once('error', (error) => finish(1, `Cannot start \`${command}\`: ${error.message}\n`));
    child.once('close', (code, signal) => finish(code ?? 1, signal === null ? '' : `Ended by ${signal}\n`));
  });
}

/** Returns `1.2 s` or `340 ms`. */
export function renderMs(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
