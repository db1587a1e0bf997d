import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashMismatch } from '../failures.ts';
import { algorithmOf, integrityFrom } from '../lock/integrity.ts';
import { keepAsBlob, ownBlobPath } from '../store/blobs.ts';
import { type BundledFile, type BundleManifest, badBundle, manifestName, parseManifest } from './manifest.ts';

/** A bundle to take blobs from. */
export interface UnpackRequest {
  /** Absolute path of the file or directory. */
  readonly bundle: string;
  /** Our home directory. */
  readonly home: string;
  /** What may be taken, by integrity, with the size where it is known: see `pinnedBlobs()`. */
  readonly pinned: ReadonlyMap<string, number | undefined>;
  readonly signal: AbortSignal;
  /** Bytes read of all bytes that the blobs have. */
  onProgress?(done: number, total: number): void;
}

/** What was taken from a bundle. Blobs are named by integrity. */
export interface UnpackResult {
  readonly manifest: BundleManifest;
  readonly stored: readonly string[];
  readonly alreadyThere: readonly string[];
  /** Not pinned, and so left alone. */
  readonly ignored: readonly string[];
}

/** Decides what of a bundle is taken, checks it, and stages it until all has been seen. */
export class BundleReader {
  readonly #request: UnpackRequest;
  readonly #staging: string;
  readonly #staged = new Map<string, string>();
  readonly #ignored: string[] = [];
  #manifest: BundleManifest | undefined;
  #doneBytes = 0;
  #totalBytes = 0;

  constructor(request: UnpackRequest, staging: string) {
    this.#request = request;
    this.#staging = staging;
  }

  get bundle(): string {
    return this.#request.bundle;
  }

  /** Reads the manifest, which comes first. @throws {ExpectedError} `install.bad-bundle`. */
  begin(text: string): BundleManifest {
    const manifest = parseManifest(text, this.bundle);
    for (const { integrity, size, path } of manifest.blobs) {
      const pinned = this.#request.pinned.get(integrity);
      if (pinned === undefined || pinned === size) continue;
      throw badBundle(this.bundle, `\`${path}\` has ${size} bytes in it, and ${pinned} as this program pins it`);
    }
    this.#manifest = manifest;
    this.#totalBytes = [...manifest.blobs, ...manifest.files].reduce((sum, { size }) => sum + size, 0);
    return manifest;
  }

  /**
   * Takes or passes over the content of one file that the manifest lists.
   *
   * @throws {ExpectedError} `install.hash-mismatch`; system errors of writing.
   */
  async take(file: BundledFile, content: AsyncIterable<Uint8Array>): Promise<void> {
    const isPinned = this.#request.pinned.has(file.integrity);
    const isBlob = file.path.startsWith('blobs/');
    const isWanted = isBlob && isPinned;
    if (isBlob && !isPinned) this.#ignored.push(file.integrity);
    const hash = createHash(algorithmOf(file.integrity));
    const path = join(this.#staging, String(this.#staged.size));
    const target = isWanted ? openSync(path, 'wx', 0o600) : undefined;
    try {
      for await (const chunk of content) {
        this.#request.signal.throwIfAborted();
        hash.update(chunk);
        if (target !== undefined) writeFileSync(target, chunk);
        this.#reportProgress(chunk.length);
      }
      if (target !== undefined) fsyncSync(target);
    } finally {
      if (target !== undefined) closeSync(target);
    }
    const found = integrityFrom(hash, file.integrity);
    if (found !== file.integrity) {
      if (isPinned) throw hashMismatch(file.path, file.integrity, found);
      throw badBundle(this.bundle, `\`${file.path}\` in it is not what its \`${manifestName}\` says`);
    }
    if (isWanted) this.#staged.set(file.integrity, path);
  }

  /** Keeps all that was taken. To be called once the whole bundle has been checked. */
  keep(): UnpackResult {
    if (this.#manifest === undefined) throw badBundle(this.bundle, `it does not begin with \`${manifestName}\``);
    const { home } = this.#request;
    const stored: string[] = [];
    const alreadyThere: string[] = [];
    for (const [integrity, staged] of this.#staged) {
      (existsSync(ownBlobPath(home, integrity)) ? alreadyThere : stored).push(integrity);
      keepAsBlob(staged, home, integrity);
    }
    return { manifest: this.#manifest, stored, alreadyThere, ignored: this.#ignored };
  }

  #reportProgress(bytes: number): void {
    this.#doneBytes += bytes;
    this.#request.onProgress?.(this.#doneBytes, this.#totalBytes);
  }
}
