import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** A file as it was read. */
export interface ReadFile {
  /** Absolute path of its project. */
  readonly root: string;
  /** Relative to that. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** First and last line, 0-based and included. */
export type LineRange = readonly [first: number, last: number];

/**
 * Which lines of which files a client has read. What it has read of a file counts only as long as the file has the content
 * it had then, whoever changes it.
 */
export class LineReads {
  /** By absolute path. */
  readonly #files = new Map<string, { readonly contentHash: string; readonly ranges: Set<string> }>();

  /** Notes that exactly these lines were read. */
  note(file: ReadFile, [first, last]: LineRange): void {
    const ranges = this.#rangesOf(file) ?? new Set();
    ranges.add(`${first}-${last}`);
    this.#files.set(join(file.root, file.path), { contentHash: hashOf(file.bytes), ranges });
  }

  /** Returns whether exactly these lines were read, of the file as it is in `file`. */
  has(file: ReadFile, [first, last]: LineRange): boolean {
    return this.#rangesOf(file)?.has(`${first}-${last}`) ?? false;
  }

  #rangesOf({ root, path, bytes }: ReadFile): Set<string> | undefined {
    const known = this.#files.get(join(root, path));
    return known?.contentHash === hashOf(bytes) ? known.ranges : undefined;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
