import type { Call } from '../base/call.ts';
import type { Session } from '../session/session.ts';
import { withCommandContext } from './command-context.ts';
import type { Environment } from './environment.ts';
import type { SessionFlags } from './open-session.ts';

/** Runs `work` with a session like that of a client with these flags; see {@link withCommandContext}. */
export function withSession<T>(
  environment: Environment,
  flags: SessionFlags & { prefix: string },
  work: (session: Session, call: Call) => Promise<T>,
): Promise<T> {
  return withCommandContext(environment, flags, async (context) =>
    work(await context.startSession(flags), context.call),
  );
}
