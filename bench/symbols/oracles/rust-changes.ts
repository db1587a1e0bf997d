import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RustFile } from './rust-syntax.ts';

/** A replacement of a range of bytes of the original file. */
export interface RustChange {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A copy of a package with changes, and where their originals were. */
export class RustChanges {
  readonly directory: string;
  readonly #files: ReadonlyMap<string, RustFile>;
  #changes: readonly RustChange[] = [];

  constructor(directory: string, files: readonly RustFile[]) {
    this.directory = directory;
    this.#files = new Map(files.map((file) => [file.file, file]));
  }

  /** Replaces all changes so far by these, which must not overlap. */
  write(changes: readonly RustChange[]): void {
    const touched = new Set([...this.#changes, ...changes].map(({ file }) => file));
    this.#changes = changes.toSorted((a, b) => a.start - b.start);
    for (const path of touched) {
      const { text } = this.#files.get(path) ?? {};
      if (text === undefined) throw new Error(`unknown file ${path}`);
      const parts: Buffer[] = [];
      let from = 0;
      for (const { start, end, text: replacement } of this.#in(path)) {
        parts.push(text.subarray(from, start), Buffer.from(replacement));
        from = end;
      }
      writeFileSync(join(this.directory, path), Buffer.concat([...parts, text.subarray(from)]));
    }
  }

  /** Returns the offset in the original file of a place that is not inside a replacement; else `undefined`. */
  original(file: string, offset: number): number | undefined {
    let shift = 0;
    for (const { start, end, text } of this.#in(file)) {
      if (offset < start + shift) break;
      if (offset < start + shift + Buffer.byteLength(text)) return undefined;
      shift += Buffer.byteLength(text) - (end - start);
    }
    return offset - shift;
  }

  #in(file: string): RustChange[] {
    return this.#changes.filter((change) => change.file === file);
  }
}
