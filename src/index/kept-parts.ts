/** Parts of segments that stay in memory as long as there is room for them. */
export class KeptParts<T extends object> {
  readonly #maxBytes: number;
  readonly #sizeOf: (part: T) => number;
  /** By the id of the segment. */
  readonly #parts = new Map<number, T>();
  #bytes = 0;

  constructor(maxBytes: number, sizeOf: (part: T) => number) {
    this.#maxBytes = maxBytes;
    this.#sizeOf = sizeOf;
  }

  /** Returns the part of a segment, read with `read` unless it is in memory; `undefined` if that returns nothing. */
  get(id: number, read: () => T | undefined): T | undefined {
    const known = this.#parts.get(id);
    if (known !== undefined) return known;
    const part = read();
    if (part === undefined || this.#bytes + this.#sizeOf(part) > this.#maxBytes) return part;
    this.#bytes += this.#sizeOf(part);
    this.#parts.set(id, part);
    return part;
  }

  drop(id: number): void {
    const part = this.#parts.get(id);
    if (part === undefined) return;
    this.#bytes -= this.#sizeOf(part);
    this.#parts.delete(id);
  }
}
