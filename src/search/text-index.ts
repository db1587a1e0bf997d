import type { FileState } from '../base/file-state.ts';
import { FileIndex, type IndexedState } from '../index/file-index.ts';
import type { RequiredText } from '../index/required-words.ts';
import type { TextCodec } from '../text/encodings.ts';
import type { IndexSetup, UnindexedFiles } from './scan-protocol.ts';

/** Texts of which a file must contain at least one. */
export interface IndexedTexts {
  readonly texts: readonly string[];
  /** True if the texts match regardless of case; they are then ASCII in lower case. */
  readonly ignoresCase: boolean;
  /** The one that matters only where no ASCII word character precedes or follows it. */
  readonly whole?: string | undefined;
}

/** Access of one worker to the project's index, for files in the project's encoding. */
export class TextIndex {
  readonly files: FileIndex;
  readonly #codec: TextCodec;
  readonly #minUnindexed: number;
  #unindexed: string[] = [];

  private constructor({ directory, minUnindexed }: IndexSetup, codec: TextCodec) {
    this.files = new FileIndex({ directory, encoding: codec.name });
    this.#codec = codec;
    this.#minUnindexed = minUnindexed;
  }

  /** Returns the index, or `undefined` for an encoding in which the bytes of a text depend on what precedes it. */
  static of(setup: IndexSetup | undefined, codec: TextCodec): TextIndex | undefined {
    return setup === undefined || !codec.extendsAscii ? undefined : new TextIndex(setup, codec);
  }

  /**
   * Returns a function that says what the index knows about a file in its current state, and remembers the files that it
   * does not know. `texts` are as for `readTexts`; `undefined` excludes no file. The function expects the number of each
   * file in `list`; repeated lookups of the files of the same list are faster.
   */
  lookup(
    texts: IndexedTexts | undefined,
    list: readonly object[],
  ): (path: string, state: FileState | undefined, number: number) => IndexedState {
    const known = this.files.lookup(this.#required(texts), list);
    this.#unindexed = [];
    return (path, state, number) => {
      // The file may have changed without a difference in its times; it is not indexed yet either.
      if (state === undefined || state.isRacy) return 'unknown';
      const found = known(path, state, number);
      if (found === 'unknown') this.#unindexed.push(path);
      return found;
    };
  }

  /** Remembers a file of the last question that was excluded without a lookup. */
  addUnindexed(path: string): void {
    this.#unindexed.push(path);
  }

  /** Returns the unknown files of the last question if there are enough to be indexed, and forgets them. */
  takeUnindexed(): UnindexedFiles | undefined {
    const paths = this.#unindexed;
    this.#unindexed = [];
    return paths.length === 0 || paths.length < this.#minUnindexed ? undefined : paths.join('\0');
  }

  #required(indexed: IndexedTexts | undefined): RequiredText[] | undefined {
    if (indexed === undefined) return undefined;
    const { texts, ignoresCase, whole } = indexed;
    // Other encodings may hold characters that equal an ASCII letter when case is ignored, in bytes of their own.
    if (ignoresCase && !this.#codec.isUtf8) return undefined;
    if (!texts.every((text) => hasOwnBytes(text, this.#codec))) return undefined;
    return texts.map((text) => {
      const bytes = Buffer.from(text, 'utf8').toString('latin1');
      return { bytes, ignoresCase, isWhole: text === whole };
    });
  }
}

/** True if `text` always has the same bytes in an encoding, so that a search in the bytes is exact. */
export function hasOwnBytes(text: string, codec: TextCodec): boolean {
  return codec.extendsAscii && (/^[\0-\x7f]*$/.test(text) || codec.isUtf8);
}
