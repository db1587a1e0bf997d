import type { Position } from '../model.ts';
import type { RustFile } from './rust-syntax.ts';

/** A name in a file, as an offset in bytes. */
export interface RustPlace {
  readonly file: string;
  readonly at: number;
}

/** Converts offsets in bytes to positions and finds names in Rust files. */
export class RustPositions {
  readonly #files: ReadonlyMap<string, RustFile>;

  constructor(files: readonly RustFile[]) {
    this.#files = new Map(files.map((file) => [file.file, file]));
  }

  toPosition({ file, at }: RustPlace): Position {
    const before = this.#files.get(file)?.text.subarray(0, at).toString('utf8') ?? '';
    const lineStart = before.lastIndexOf('\n') + 1;
    return { file, line: before.split('\n').length - 1, column: before.length - lineStart };
  }

  /** Returns where the name stands as a word in code or strings, but not in comments. */
  wordsOf(name: string): RustPlace[] {
    return [...this.#files.values()].flatMap(({ file, text }) => {
      // One character per byte.
      const plain = text.toString('latin1').replace(/\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length));
      return [...plain.matchAll(new RegExp(`(?<![\\w\\x80-\\xff])${name}(?![\\w\\x80-\\xff])`, 'g'))].map(
        ({ index }) => ({
          file,
          at: index,
        }),
      );
    });
  }

  /** Returns where the name stands as a word between two offsets. */
  wordsIn(name: string, file: string, range: { start: number; end: number }): number[] {
    return this.wordsOf(name).flatMap(({ file: other, at }) =>
      other === file && range.start <= at && at + Buffer.byteLength(name) <= range.end ? [at] : [],
    );
  }
}
