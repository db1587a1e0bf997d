import type { Readable, Writable } from 'node:stream';

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
