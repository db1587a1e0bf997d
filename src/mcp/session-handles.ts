import type { Session } from '../session/session.ts';

/**
 * The sessions of clients that have no connection of their own: those of the stateless protocol over HTTP. A client gets
 * a handle from `initial_instructions` and passes it with its calls as the argument `session`.
 */
export interface SessionHandles {
  /** Returns the session of a handle. @throws {ExpectedError} `session.unknown`. */
  get(handle: string): Session;
  /** Opens a session and returns its handle. @throws {ExpectedError} `config.invalid`. */
  begin(): Promise<{ readonly handle: string; readonly session: Session }>;
}
