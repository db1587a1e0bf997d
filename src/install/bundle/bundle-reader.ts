import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashMismatch } from '../failures.ts';
import { algorithmOf, integrityFrom } from '../lock/integrity.ts';
import { keepAsBlob, ownBlobPath } from '../store/blobs.ts';
import { type BundledFile, type BundleManifest, badBundle, manifestName, parseManifest } from './manifest.ts';

/** A request to unpack the blobs of a bundle. */
export interface UnpackRequest {
  /** Absolute path of the file or directory. */
  readonly bundle: string;
  /** Absolute path of SERENA_HOME. */
  readonly home: string;
  /** The blobs that may be stored: integrity, and size if known, see `pinnedBlobs()`. */
  readonly pinned: ReadonlyMap<string, number | undefined>;
  readonly signal: AbortSignal;
  /** Called with the number of bytes read and the total. */
  onProgress?(done: number, total: number): void;
}

/** The result of unpacking a bundle. Blobs are named by integrity. */
export interface UnpackResult {
  readonly manifest: BundleManifest;
  readonly stored: readonly string[];
  readonly alreadyThere: readonly string[];
  /** Blobs that are not pinned and therefore not stored. */
  readonly ignored: readonly string[];
}

/** Verifies the files of a bundle and stages the pinned blobs until the whole bundle has been verified. */
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
      throw badBundle(this.bundle, `\`${path}\` in it has ${size} bytes, but this program pins ${pinned} bytes`);
    }
    this.#manifest = manifest;
    this.#totalBytes = [...manifest.blobs, ...manifest.files].reduce((sum, { size }) => sum + size, 0);
    return manifest;
  }

  /**
   * Verifies one file that the manifest lists, and stages it if it is a pinned blob.
   *
   * @throws {ExpectedError} `install.hash-mismatch`; system errors of writing.
   */
  async take(file: BundledFile, content: AsyncIterable<Uint8Array>): Promise<void> {
    const isPinned = this.#request.pinned.has(file.integrity);
    const isBlob = file.path.startsWith('blobs/');
    const isStored = isBlob && isPinned;
    if (isBlob && !isPinned) this.#ignored.push(file.integrity);
    const hash = createHash(algorithmOf(file.integrity));
    const path = join(this.#staging, String(this.#staged.size));
    const target = isStored ? openSync(path, 'wx', 0o600) : undefined;
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
      throw badBundle(this.bundle, `\`${file.path}\` in it does not have the hash in its \`${manifestName}\``);
    }
    if (isStored) this.#staged.set(file.integrity, path);
  }

  /** Moves the staged blobs into place. Call it after the whole bundle has been verified. */
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
