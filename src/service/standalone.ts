import type { Readable, Writable } from 'node:stream';

/** The two streams over which a server and its client exchange lines. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves a session in this process over `streams`, or over stdin and stdout, and returns the exit code. */
export type Standalone = (streams?: Streams) => Promise<number>;
