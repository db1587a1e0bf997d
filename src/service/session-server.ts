import type { SplitLine } from './line-splitter.ts';

/** How a session ended: with an exit code of this process, or because the service ended or does not answer any more. */
export type SessionEnd = number | 'gone' | 'silent';

/** Serves the session of the client: the background service, or this process. */
export interface SessionServer {
  readonly ended: Promise<SessionEnd>;
  /** Takes bytes of the client, a line or with `isPart` a part of one. Returns false if it has no room for more. */
  send(bytes: Buffer, isPart?: boolean): boolean;
  /** The client has finished. */
  finish(): void;
  /** Delivers nothing until `release()`. */
  hold(): void;
  release(): void;
  /** Ends the connection, if it is one. */
  close(): void;
}

/** Receives what a server sends. */
export interface SessionClient {
  /** Called with each line for the client. */
  deliver(line: SplitLine): void;
  /** Called when the server has room again. */
  onRoom(): void;
  /** True if an answer is due. */
  isWaiting(): boolean;
}
