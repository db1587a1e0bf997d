import type { Hash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { hashMismatch } from '../failures.ts';
import { hashFor, integrityFrom } from '../lock/integrity.ts';
import type { Artifact } from '../source/artifact.ts';

// A file longer than the pinned one is read further, so that the message has its hash, but only up to this excess.
const maxExcessBytes = 16e6;
// Limit for a file whose size is not in the lock.
const maxBytes = 4 * 2 ** 30;

/** A file that is hashed while it is written. After `finish()` it has the pinned content or does not exist. */
export class VerifiedFile {
  readonly #artifact: Pick<Artifact, 'title' | 'integrity' | 'sizeBytes'>;
  readonly #path: string;
  readonly #file: number;
  readonly #onReceived: ((receivedBytes: number) => void) | undefined;
  #hash: Hash | undefined;
  #receivedBytes = 0;

  /**
   * Creates the file at `path` (absolute), and calls `onReceived` with its length in bytes whenever that changes.
   *
   * @throws system errors, for example if the file exists.
   */
  constructor(
    artifact: Pick<Artifact, 'title' | 'integrity' | 'sizeBytes'>,
    path: string,
    onReceived?: (receivedBytes: number) => void,
  ) {
    this.#artifact = artifact;
    this.#onReceived = onReceived;
    this.#path = path;
    this.#file = openSync(path, 'wx', 0o600);
    this.#hash = hashFor(artifact.integrity);
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Appends `chunk`. @throws {ExpectedError} `install.hash-mismatch` if the file becomes too long. */
  write(chunk: Uint8Array): void {
    const { sizeBytes, title, integrity } = this.#artifact;
    const start = this.#receivedBytes;
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > (sizeBytes === undefined ? maxBytes : sizeBytes + maxExcessBytes)) {
      const expected = sizeBytes === undefined ? integrity : `${integrity} of ${sizeBytes} bytes`;
      throw hashMismatch(title, expected, `more than ${this.#receivedBytes} bytes`);
    }
    this.#hash?.update(chunk);
    let written = 0;
    while (written < chunk.length) {
      written += writeSync(this.#file, chunk, written, chunk.length - written, start + written);
    }
    this.#onReceived?.(this.#receivedBytes);
  }

  /** Appends the content of the file at `path` (absolute). @throws like `write()`; system errors. */
  async writeFrom(path: string): Promise<void> {
    for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) this.write(chunk);
  }

  /** Truncates the file to start over. */
  restart(): void {
    if (this.#receivedBytes === 0) return;
    ftruncateSync(this.#file, 0);
    this.#receivedBytes = 0;
    this.#hash = hashFor(this.#artifact.integrity);
    this.#onReceived?.(0);
  }

  /** Verifies and closes the file. @throws {ExpectedError} `install.hash-mismatch`; the file is then removed. */
  finish({ isSynced }: { isSynced: boolean }): void {
    const { title, integrity } = this.#artifact;
    const found = this.#hash === undefined ? integrity : integrityFrom(this.#hash, integrity);
    if (found !== integrity) {
      this.discard();
      throw hashMismatch(title, integrity, found);
    }
    if (isSynced) fsyncSync(this.#file);
    closeSync(this.#file);
  }

  discard(): void {
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}
