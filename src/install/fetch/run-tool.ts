import { spawn } from 'node:child_process';
import { messageOf } from '../../base/errors.ts';
import { inOwnGroup, signalGroup } from '../../base/process/group.ts';
import { withoutCredentials } from '../failures.ts';
import { cleanEnv } from '../runtime/clean-env.ts';

/** The exit code and complete output of a program, without the credentials in URLs. */
export interface ToolResult {
  /** The exit code, the signal that ended it, or the reason that it did not start. */
  readonly code: number | string;
  readonly output: string;
}

export interface ToolOptions {
  /** Absolute path of a directory below SERENA_HOME, so that no project's configuration applies. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

// Enough to explain a failure; earlier lines repeat it for every file.
const maxReasonLines = 6;

/**
 * Runs one of the user's programs and returns its result. Kills it and its child processes once the signal aborts.
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

/** Returns the reason that `command` failed: how it ended, and the last lines of its output. */
export function failureReason(command: string, { code, output }: ToolResult): string {
  return `\`${command}\` ended with ${code}\n${output.trim().split('\n').slice(-maxReasonLines).join('\n')}`;
}
