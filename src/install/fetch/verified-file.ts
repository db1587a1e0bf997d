import type { Hash } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { hashMismatch } from '../failures.ts';
import { hashFor, integrityFrom } from '../lock/integrity.ts';
import type { Artifact } from '../source/artifact.ts';

// What is longer than the pinned file is read on, to say what it is, but not what never ends.
const maxExcessBytes = 16e6;
// Of a file whose size the lock does not tell.
const maxBytes = 4 * 2 ** 30;

/** A file that is written and verified in one go: it is there with the right content, or not there. */
export class VerifiedFile {
  readonly #artifact: Pick<Artifact, 'title' | 'integrity' | 'sizeBytes'>;
  readonly #path: string;
  readonly #file: number;
  #hash: Hash | undefined;
  #receivedBytes = 0;

  /** Creates the file at absolute `path`. @throws system errors, such as for a file that is there. */
  constructor(artifact: Pick<Artifact, 'title' | 'integrity' | 'sizeBytes'>, path: string) {
    this.#artifact = artifact;
    this.#path = path;
    this.#file = openSync(path, 'wx', 0o600);
    this.#hash = hashFor(artifact.integrity);
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Appends `chunk`. @throws {ExpectedError} `install.hash-mismatch` for what cannot be the file: it is too long. */
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
  }

  /** Forgets what was written. */
  restart(): void {
    ftruncateSync(this.#file, 0);
    this.#receivedBytes = 0;
    this.#hash = hashFor(this.#artifact.integrity);
  }

  /** Ends the file, on the disk. @throws {ExpectedError} `install.hash-mismatch`; the file is gone then. */
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

  /** Removes the file. */
  discard(): void {
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}
