import { Transform, type TransformCallback } from 'node:stream';

const headerEnd = Buffer.from('\r\n\r\n');
const lineEnd = 0x0a;
const headerStart = /^content-(length|type):/i;
/** A header after output without a line end, such as `write('Loading… ')`. */
const headerAfterWords = /content-length: *\d+\r$/i;

/** Answers about very large projects have some megabytes; a longer one would fill the memory while it is read. */
const maxBodyBytes = 64 * 1024 * 1024;
const maxHeaderBytes = 64 * 1024;
/** Longer than what servers print besides messages. */
const maxLineBytes = 4 * 1024 * 1024;

/**
 * Passes LSP frames through unchanged and drops the lines between them. Some servers print such lines before their
 * first header, and the protocol library would parse them as a broken header. `onJunk` receives each dropped line.
 * `onBroken` is called once, with what the server sent, if that cannot be read within limits; nothing is passed after it.
 */
export class FrameFilter extends Transform {
  readonly #onJunk: (line: string) => void;
  readonly #onBroken: (what: string) => void;
  #isBroken = false;
  #pending: Buffer = Buffer.alloc(0);
  #bodyLeft = 0;

  constructor(onJunk: (line: string) => void, onBroken: (what: string) => void) {
    super();
    this.#onJunk = onJunk;
    this.#onBroken = onBroken;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (!this.#isBroken) {
      this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
      while (this.#pending.length > 0 && this.#step());
    }
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
    if (firstLineEnd < 0) return this.#isWithin(maxLineBytes, 'a line');
    // Latin-1 has one character per byte, so indexes into the string are indexes into the bytes.
    const firstLine = this.#pending.toString('latin1', 0, firstLineEnd);
    if (!headerStart.test(firstLine)) {
      const headerAt = firstLine.search(headerAfterWords);
      this.#drop(headerAt < 0 ? firstLineEnd + 1 : headerAt);
      return true;
    }
    const end = this.#pending.indexOf(headerEnd);
    if (end < 0) return this.#isWithin(maxHeaderBytes, 'a header');
    const header = this.#pending.toString('latin1', 0, end);
    const [length = 0, ...others] = [...header.matchAll(/content-length:([^\r\n]*)/gi)].map(([, text]) =>
      lengthOf(text),
    );
    // The protocol library would read another one of two lengths.
    if (Number.isNaN(length) || others.length > 0) return this.#break('a header without a valid length');
    if (length > maxBodyBytes) return this.#break(`a message of ${length} bytes, more than ${maxBodyBytes}`);
    this.#bodyLeft = length;
    return this.#pass(end + headerEnd.length);
  }

  /** Returns false, because more bytes are needed. */
  #isWithin(limit: number, what: string): false {
    return this.#pending.length <= limit ? false : this.#break(`${what} of more than ${limit} bytes`);
  }

  #break(what: string): false {
    this.#isBroken = true;
    this.#pending = Buffer.alloc(0);
    this.#onBroken(what);
    return false;
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

function lengthOf(text = ''): number {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
}
