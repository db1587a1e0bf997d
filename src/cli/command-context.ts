import { type Call, withoutRepeats } from '../base/call.ts';
import type { Environment } from './environment.ts';
import { interruption } from './interruption.ts';
import { openSessionHost, type SessionHost } from './session-host.ts';

/** What a command that opens projects works with. */
export interface CommandContext extends SessionHost {
  /** Its signal aborts when the program is interrupted or terminated; its progress is shown on a terminal. */
  readonly call: Call;
}

/**
 * Runs `work` and then stops every language server that it started. Logs to stderr and to a file named after `prefix`.
 *
 * @throws {ExpectedError} for an unusable home directory or configuration; `tool.cancelled` after a signal; what `work`
 *   throws.
 */
export async function withCommandContext<T>(
  environment: Environment,
  options: { prefix: string; logLevel?: string | undefined },
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const host = await openSessionHost(environment, options);
  const call = { signal: interruption(), progress: withoutRepeats(showOnTerminal) };
  try {
    return await work({ ...host, call });
  } finally {
    await host.close();
  }
}

function showOnTerminal(message: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${message}\n`);
}
