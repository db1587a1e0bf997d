import type { Readable } from 'node:stream';

/** What a stream said, with how much of its middle was not kept. */
export interface BoundedText {
  /** UTF-8; bytes that are not have become U+FFFD. Where something was left out, a line of its own says so. */
  readonly text: string;
  readonly omittedBytes: number;
}

// Together with the copies on the way to the client this stays below what a language server takes.
const maxHeadBytes = 1024 * 1024;
const maxTailBytes = 3 * 1024 * 1024;

/** Collects what a stream says: the beginning and the end, however much there is in between. */
export class BoundedOutput {
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #totalBytes = 0;
  #isOver = false;

  /** Begins to read `stream`, and goes on for as long as it is open: its writer must not block, nor find it closed. */
  constructor(stream: Readable | null) {
    stream?.on('data', (chunk: Buffer) => this.#add(chunk));
    // A pipe that breaks has ended.
    stream?.on('error', () => undefined);
  }

  /** How much has come so far, kept or not. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Returns what was kept. What comes after this is let go of. */
  finish(): BoundedText {
    this.#isOver = true;
    const head = Buffer.concat(this.#head);
    const kept = Buffer.concat(this.#tail);
    this.#tail = [];
    const skipped = Math.max(0, kept.length - maxTailBytes);
    if (this.#totalBytes === head.length + kept.length && skipped === 0) {
      return { text: decoded(Buffer.concat([head, kept])), omittedBytes: 0 };
    }
    // Neither end is cut inside a character.
    const before = head.subarray(0, head.length - unfinishedBytes(head));
    const after = kept.subarray(skipped + continuationBytes(kept.subarray(skipped)));
    const omittedBytes = this.#totalBytes - before.length - after.length;
    return { text: `${decoded(before)}\n[… ${omittedBytes} bytes left out …]\n${decoded(after)}`, omittedBytes };
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
    // Halved and not trimmed chunk by chunk: that would move the list for each of them.
    if (this.#tailBytes > 2 * maxTailBytes) this.#dropOldest();
  }

  #dropOldest(): void {
    const kept = Buffer.concat(this.#tail).subarray(-maxTailBytes);
    // A copy: a part would keep the whole of it in memory.
    this.#tail = [Buffer.from(kept)];
    this.#tailBytes = kept.length;
  }
}

function decoded(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Returns how many bytes at the end belong to a character whose other bytes are missing. */
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

/** Returns how many bytes at the start belong to a character whose first byte is missing. */
function continuationBytes(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}
