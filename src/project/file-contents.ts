import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { looksBinary, sniffedBytes } from '../text/decode.ts';
import type { TextCodec } from '../text/encodings.ts';
import type { FileState } from './file-state.ts';

/** Files above this are not worth keeping: one of them would push hundreds of others out. */
const maxKeptFileBytes = 4 * 1024 * 1024;

/** Of larger files the start is looked at first: they are binary more often than not. */
const maxBlindBytes = 1024 * 1024;

/** The text of a larger file would not fit into one string, and no answer could show it. */
export const maxFileBytes = 256 * 1024 * 1024;

/** The bytes of recently read files, so that the next search does not read them again. */
export class FileContents {
  readonly #maxBytes: number;
  readonly #codec: TextCodec;
  /** By relative path, least recently used first. */
  readonly #kept = new Map<string, { readonly fingerprint: string; readonly bytes: Buffer }>();
  #keptBytes = 0;

  constructor(options: { readonly maxBytes: number; readonly codec: TextCodec }) {
    this.#maxBytes = options.maxBytes;
    this.#codec = options.codec;
  }

  /**
   * Returns the bytes of a file whose state is `state`, or `undefined` if it cannot be read. Of a large binary file
   * just the start is returned, by which it is known.
   */
  read(file: { readonly path: string; readonly absolutePath: string }, state: FileState): Buffer | undefined {
    const kept = this.#kept.get(file.path);
    if (kept !== undefined) {
      this.#kept.delete(file.path);
      if (kept.fingerprint === state.fingerprint) {
        this.#kept.set(file.path, kept);
        return kept.bytes;
      }
      this.#keptBytes -= kept.bytes.length;
    }
    const bytes = tryRead(file.absolutePath, state.size, this.#codec);
    if (bytes !== undefined && bytes.length <= maxKeptFileBytes) this.#keep(file.path, state.fingerprint, bytes);
    return bytes;
  }

  #keep(path: string, fingerprint: string, bytes: Buffer): void {
    this.#kept.set(path, { fingerprint, bytes });
    this.#keptBytes += bytes.length;
    for (const [oldest, { bytes: old }] of this.#kept) {
      if (this.#keptBytes <= this.#maxBytes) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= old.length;
    }
  }
}

function tryRead(path: string, sizeBytes: number, codec: TextCodec): Buffer | undefined {
  if (sizeBytes > maxFileBytes) return undefined;
  try {
    const start = sizeBytes > maxBlindBytes ? readStart(path) : undefined;
    return start !== undefined && looksBinary(start, codec) ? start : readFileSync(path);
  } catch {
    return undefined;
  }
}

function readStart(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(sniffedBytes);
    return start.subarray(0, readSync(file, start));
  } finally {
    closeSync(file);
  }
}
