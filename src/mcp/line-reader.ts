const lineEnd = 0x0a;
/** Bytes kept from each end of a line that is too long: the id of its request may be there. */
const keptBytes = 4_096;

/** A line, or the two ends of a line that is too long. */
export type Line = { readonly text: string } | { readonly start: string; readonly end: string; readonly size: number };

/** Splits a byte stream into lines. Of a line longer than `maxBytes` it keeps only the ends in memory. */
export class LineReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #end: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Yields the lines that `chunk` completes. */
  *read(chunk: Buffer): Generator<Line> {
    let from = 0;
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, from)) {
      this.#add(chunk.subarray(from, at));
      yield this.#take();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  get #isTooLong(): boolean {
    return this.#size > this.#maxBytes;
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    const wasTooLong = this.#isTooLong;
    this.#size += part.length;
    if (!this.#isTooLong) {
      this.#chunks.push(part);
      return;
    }
    // Copied, because a slice would keep its whole chunk in memory.
    this.#end = Buffer.concat([this.#end, part.subarray(-keptBytes)]).subarray(-keptBytes);
    if (!wasTooLong)
      this.#chunks = [Buffer.concat([...this.#chunks, part]).subarray(0, keptBytes)].map((head) => Buffer.from(head));
  }

  #take(): Line {
    const [chunks, size, end, isTooLong] = [this.#chunks, this.#size, this.#end, this.#isTooLong];
    this.#chunks = [];
    this.#size = 0;
    this.#end = Buffer.alloc(0);
    const text = Buffer.concat(chunks).toString('utf8');
    return isTooLong ? { start: text, end: end.toString('utf8'), size } : { text };
  }
}
