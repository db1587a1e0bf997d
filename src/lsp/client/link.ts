import type { Readable, Writable } from 'node:stream';

/** The streams and the life of a running language server, whether a child process or attached over a socket. */
export interface ServerLink {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves with a description of how the server ended. Never rejects. */
  readonly exited: Promise<string>;
  readonly pid: number | undefined;
  readonly isRunning: boolean;
  /** True if this process started the server and therefore stops it; a server it attached to keeps running. */
  readonly isOurs: boolean;
  /** The end of the server's stderr, trimmed. */
  readonly stderrTail: string;
  /** Ends the server if this process started it, otherwise the connection. Resolves once it has ended. */
  kill(): Promise<void>;
}
