// usage: bun test/stub-servers/splits-characters.ts
// Writes each message in chunks that end inside a multi-byte character, with a pause between chunks.
import { setTimeout as pause } from 'node:timers/promises';
import { outputThrough, serveStub } from './stub.ts';

/** Returns true for a continuation byte of UTF-8. */
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;

serveStub({
  output: outputThrough(async (chunk) => {
    let from = 0;
    for (let at = 1; at < chunk.length; at++) {
      if (!isContinuation(chunk[at])) continue;
      process.stdout.write(chunk.subarray(from, at));
      from = at;
      await pause(5);
    }
    process.stdout.write(chunk.subarray(from));
  }),
});
