import { spawn } from 'node:child_process';
import { messageOf } from '../../base/errors.ts';
import { inOwnGroup, signalGroup } from '../../base/process/group.ts';
import { withoutCredentials } from '../failures.ts';
import { cleanEnv } from '../runtime/clean-env.ts';

/** How a program ended, with all of its output, without the credentials that addresses in it may carry. */
export interface ToolResult {
  /** The exit code, the signal that ended it, or why it did not start. */
  readonly code: number | string;
  readonly output: string;
}

export interface ToolOptions {
  /** Absolute; a directory of ours, so that no project takes part. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

// What a person needs of a failure; the rest repeats it for every file.
const maxReasonLines = 6;

/**
 * Runs one of the user's programs to its end and returns how that was. Ends it, with all it has started, once the signal
 * aborts.
 *
 * @throws the signal's reason.
 */
export function runTool(program: string, args: readonly string[], options: ToolOptions): Promise<ToolResult> {
  const { cwd, env, signal } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const];
    const child = spawn(program, args, { cwd, env: cleanEnv(env), stdio, ...inOwnGroup });
    let output = '';
    const onAbort = () => signalGroup(child, 'SIGKILL');
    signal.addEventListener('abort', onAbort, { once: true });
    const keep = (chunk: Buffer) => {
      output += chunk.toString('utf8');
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', (error) => resolve({ code: messageOf(error), output }));
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', onAbort);
      if (signal.aborted) reject(signal.reason);
      else resolve({ code: code ?? killedBy ?? 'nothing', output: withoutCredentials(output) });
    });
  });
}

/** Returns what a person needs of the output of a program that failed. */
export function lastLines(output: string): string {
  return output.trim().split('\n').slice(-maxReasonLines).join('\n');
}
