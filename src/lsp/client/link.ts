import type { Readable, Writable } from 'node:stream';

/** What a running language server is talked to through, wherever it runs. */
export interface ServerLink {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves with how it ended, in words. Never rejects. */
  readonly exited: Promise<string>;
  readonly pid: number | undefined;
  readonly isRunning: boolean;
  /** Whether it is ours to end: somebody else's goes on without us. */
  readonly isOurs: boolean;
  /** The last of what it wrote to stderr, trimmed. */
  readonly stderrTail: string;
  /** Ends it if it is ours, else the connection. Resolves once it is gone. */
  kill(): Promise<void>;
}
