import { Transform, type TransformCallback } from 'node:stream';

const headerEnd = Buffer.from('\r\n\r\n');
const lineEnd = 0x0a;
const headerStart = /^content-(length|type):/i;
/** A header after output without a line end, such as `write('Loading… ')`. */
const headerAfterWords = /content-length: *\d+\r$/i;

/**
 * Passes LSP frames through unchanged and drops the lines between them. Some servers print such lines before their
 * first header, and the protocol library would parse them as a broken header. `onJunk` receives each dropped line.
 */
export class FrameFilter extends Transform {
  readonly #onJunk: (line: string) => void;
  #pending: Buffer = Buffer.alloc(0);
  #bodyLeft = 0;

  constructor(onJunk: (line: string) => void) {
    super();
    this.#onJunk = onJunk;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    while (this.#pending.length > 0 && this.#step());
    done();
  }

  /** Handles the start of the pending bytes; false if more bytes are needed first. */
  #step(): boolean {
    if (this.#bodyLeft > 0) {
      const taken = Math.min(this.#bodyLeft, this.#pending.length);
      this.#bodyLeft -= taken;
      return this.#pass(taken);
    }
    const firstLineEnd = this.#pending.indexOf(lineEnd);
    if (firstLineEnd < 0) return false;
    // Latin-1 has one character per byte, so indexes into the string are indexes into the bytes.
    const firstLine = this.#pending.toString('latin1', 0, firstLineEnd);
    if (!headerStart.test(firstLine)) {
      const headerAt = firstLine.search(headerAfterWords);
      this.#drop(headerAt < 0 ? firstLineEnd + 1 : headerAt);
      return true;
    }
    const end = this.#pending.indexOf(headerEnd);
    if (end < 0) return false;
    const length = /content-length:\s*(\d+)/i.exec(this.#pending.toString('latin1', 0, end))?.[1];
    this.#bodyLeft = Number(length ?? 0);
    return this.#pass(end + headerEnd.length);
  }

  #drop(size: number): void {
    const line = this.#pending.toString('utf8', 0, size).trim();
    if (line !== '') this.#onJunk(line);
    this.#pending = this.#pending.subarray(size);
  }

  #pass(size: number): boolean {
    this.push(this.#pending.subarray(0, size));
    this.#pending = this.#pending.subarray(size);
    return true;
  }
}
