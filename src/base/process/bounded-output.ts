import type { Readable } from 'node:stream';

/** Output of a stream: its beginning and end, and the number of bytes dropped between them. */
export interface BoundedText {
  /** Decoded as UTF-8, invalid bytes as U+FFFD. A separate line reports omitted bytes. */
  readonly text: string;
  readonly omittedBytes: number;
}

// With the copies made on the way to the client, this stays below the memory that one language server uses.
const maxHeadBytes = 1024 * 1024;
const maxTailBytes = 3 * 1024 * 1024;

/** Collects the beginning and the end of a stream's output in bounded memory. */
export class BoundedOutput {
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #totalBytes = 0;
  #isOver = false;

  /** Reads `stream` until it is closed, even after {@link finish}: its writer must not block or get `EPIPE`. */
  constructor(stream: Readable | null) {
    stream?.on('data', (chunk: Buffer) => this.#add(chunk));
    // A broken pipe is treated as the end of the output.
    stream?.on('error', () => undefined);
  }

  /** Number of bytes received so far, dropped ones included. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Returns the collected output. Bytes that arrive later are dropped. */
  finish(): BoundedText {
    this.#isOver = true;
    const head = Buffer.concat(this.#head);
    const kept = Buffer.concat(this.#tail);
    this.#tail = [];
    const skipped = Math.max(0, kept.length - maxTailBytes);
    if (this.#totalBytes === head.length + kept.length && skipped === 0) {
      return { text: decoded(Buffer.concat([head, kept])), omittedBytes: 0 };
    }
    // Neither part is cut inside a character.
    const before = head.subarray(0, head.length - unfinishedBytes(head));
    const after = kept.subarray(skipped + continuationBytes(kept.subarray(skipped)));
    const omittedBytes = this.#totalBytes - before.length - after.length;
    return { text: `${decoded(before)}\n[… ${omittedBytes} bytes omitted …]\n${decoded(after)}`, omittedBytes };
  }

  #add(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    if (this.#isOver) return;
    const room = maxHeadBytes - this.#headBytes;
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headBytes += Math.min(room, chunk.length);
    }
    if (chunk.length <= room) return;
    const rest = chunk.subarray(Math.max(0, room));
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Halved when full instead of trimmed for each chunk, which would copy the tail each time.
    if (this.#tailBytes > 2 * maxTailBytes) this.#dropOldest();
  }

  #dropOldest(): void {
    const kept = Buffer.concat(this.#tail).subarray(-maxTailBytes);
    // Copied, because a view would keep the whole buffer in memory.
    this.#tail = [Buffer.from(kept)];
    this.#tailBytes = kept.length;
  }
}

function decoded(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Returns the number of bytes at the end that belong to an incomplete character. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return characterBytes(byte) > back ? back : 0;
  }
  return 0;
}

function characterBytes(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** Returns the number of bytes at the start that belong to a character whose first byte is missing. */
function continuationBytes(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}
