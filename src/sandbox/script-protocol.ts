import type { Readable, Writable } from 'node:stream';

/** Limits of one script, given to the process when it starts. */
export interface ScriptLimits {
  /** Time for which the script itself may run; waiting for calls does not count. */
  readonly runMs: number;
  /** Size of the WebAssembly memory that holds the engine and all values of the scripts. */
  readonly memoryBytes: number;
  /** What `console.log` prints beyond it is dropped and counted. */
  readonly maxPrintedChars: number;
  /** Limit of the JSON of the result, and of the arguments of all calls without an answer. */
  readonly maxJsonChars: number;
  /** Calls without an answer at one time. */
  readonly maxPendingCalls: number;
}

/** Messages to the process. A `run` follows the end of the one before. */
export type ScriptRequest =
  | { readonly kind: 'run'; readonly source: string }
  | { readonly kind: 'answer'; readonly id: number; readonly isOk: boolean; readonly json: string };

/** What a script printed, and how much of it was dropped. */
export interface Printed {
  readonly printed: string;
  readonly droppedChars: number;
}

export type ScriptEnd = Printed &
  (
    | {
        readonly kind: 'returned';
        /** JSON of the result; `''` = it returned nothing. */
        readonly json: string;
        /** Calls that the script did not wait for. */
        readonly unawaitedCalls: number;
      }
    | { readonly kind: 'threw'; readonly message: string }
    /** The engine was stopped; the variables of all scripts are lost. */
    | { readonly kind: 'stopped'; readonly reason: 'time' | 'engine'; readonly message: string }
  );

/** Messages of the process: `handled` after its start, and after each message to it, follows what that made it send. */
export type ScriptResponse =
  | ScriptEnd
  | { readonly kind: 'handled' }
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly json: string };

/** Calls `onLine` with each line of a stream in UTF-8. The lines may be long: the parts of one are joined once. */
export function readMessages(stream: Readable, onLine: (line: string) => void): void {
  let parts: string[] = [];
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const [rest = '', ...begun] = chunk.split('\n');
    parts.push(rest);
    for (const next of begun) {
      onLine(parts.join(''));
      parts = [next];
    }
  });
}

/** Writes a message as one line of JSON, which contains no line break. */
export function writeMessage(stream: Writable, message: object): void {
  stream.write(`${JSON.stringify(message)}\n`);
}
