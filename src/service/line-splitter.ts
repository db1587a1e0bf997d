const lineEnd = 0x0a;
/** A longer line is passed on in parts. The receiver of the session refuses it. */
const maxLineBytes = 64 * 1024 * 1024 + 1;

/** A line with its line break, or with `isPart` some bytes of a line that is too long to be kept. */
export interface SplitLine {
  readonly bytes: Buffer;
  readonly isPart: boolean;
}

export class LineSplitter {
  #chunks: Buffer[] = [];
  #size = 0;
  #isLong = false;

  /** Yields the lines that `chunk` completes. */
  *split(chunk: Buffer): Generator<SplitLine> {
    let from = 0;
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, from)) {
      this.#add(chunk.subarray(from, at + 1));
      yield { bytes: this.#take(), isPart: this.#isLong };
      this.#isLong = false;
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
    if (this.#size <= maxLineBytes) return;
    this.#isLong = true;
    yield { bytes: this.#take(), isPart: true };
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    this.#chunks.push(part);
    this.#size += part.length;
  }

  #take(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#chunks;
    const bytes = others.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    return bytes;
  }
}
