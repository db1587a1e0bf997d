import { type Call, withoutRepeats } from '../base/call.ts';
import type { Session } from '../session/session.ts';
import { type Caller, ownCaller } from './caller.ts';
import type { Environment } from './environment.ts';
import { openSession, type SessionFlags } from './open-session.ts';
import { openSessionHost } from './open-session-host.ts';
import type { SessionHost } from './session-host.ts';

/** What a command that opens projects works with. */
export interface CommandContext extends SessionHost {
  /** Its signal aborts when the program is interrupted or terminated; its progress is shown on a terminal. */
  readonly call: Call;
  readonly caller: Caller;
  /** Opens a session, which is closed at the end of the command. @throws {ExpectedError} `config.invalid`. */
  startSession(flags: SessionFlags): Promise<Session>;
}

/**
 * Runs `work` and then stops every language server that it started. Logs to stderr and to a file named after `prefix`.
 * In the service, the servers are shared with others and run on, and the log is that of the service.
 *
 * @throws {ExpectedError} for an unusable home directory or configuration; `tool.cancelled` after a signal; what `work`
 *   throws.
 */
export async function withCommandContext<T>(
  environment: Environment,
  options: { prefix: string; logLevel?: string | undefined },
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const { caller = ownCaller, openHost } = environment;
  const host = await (openHost?.(environment) ?? openSessionHost(environment, options));
  const show = (message: string) => {
    if (caller.hasTerminal) caller.report(`${message}\n`);
  };
  const call = { signal: caller.interruption(), progress: withoutRepeats(show) };
  const sessions: Session[] = [];
  const startSession = async (flags: SessionFlags) => {
    const session = await openSession(host, flags);
    sessions.push(session);
    return session;
  };
  try {
    return await work({ ...host, caller, call, startSession });
  } finally {
    await host.close(closeAll(sessions));
  }
}

async function closeAll(sessions: readonly Session[]): Promise<void> {
  await Promise.all(sessions.map((session) => session.close('the command has ended')));
}
