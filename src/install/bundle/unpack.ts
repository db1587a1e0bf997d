import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { hashMismatch, writeFailure } from '../failures.ts';
import { algorithmOf, integrityFrom } from '../lock/integrity.ts';
import { keepAsBlob, ownBlobPath } from '../store/blobs.ts';
import { prepareDirectories, serverDirectories } from '../store/layout.ts';
import { stagingDirectory } from '../store/staging.ts';
import { type BundledFile, type BundleManifest, badBundle, manifestName, parseManifest, sumsName } from './manifest.ts';
import { sumsOf, TailBuffer, tailBytes, tailOf } from './tar.ts';

/**
 * Stores the pinned blobs of a bundle below SERENA_HOME. Verifies the whole bundle first: a bundle that is damaged or
 * changed anywhere leaves nothing behind.
 *
 * @throws {ExpectedError} `install.bad-bundle`, `install.hash-mismatch`, `install.no-space`, `install.home-unusable`;
 *   the signal's reason.
 */
export async function unpackBundle(request: UnpackRequest): Promise<UnpackResult> {
  const { bundle, home, signal } = request;
  const isDirectory = kindOf(bundle) === 'directory';
  const { staging: stagingRoot } = prepareDirectories(home);
  const staging = stagingDirectory(stagingRoot);
  const bundleReader = new BundleReader(request, staging);
  try {
    mkdirSync(staging);
    if (isDirectory) await takeFromDirectory(bundle, bundleReader, signal);
    else await readBundleTar(bundle, bundleReader, signal);
    return bundleReader.keep();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ExpectedError) throw error;
    const failure = writeFailure(error, { home, directory: serverDirectories(home).blobs });
    throw failure instanceof ExpectedError ? failure : badBundle(bundle, messageOf(error), error);
  } finally {
    rmSync(staging, { recursive: true, force: true, maxRetries: 5 });
  }
}

function kindOf(bundle: string): 'file' | 'directory' {
  const stat = statSync(bundle, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return 'directory';
  if (stat?.isFile()) return 'file';
  throw new ExpectedError('file.not-found', `cannot find the bundle \`${bundle}\``, {
    hints: ['make one with `serena servers pack -o <file> <server>…` on a machine with network access'],
  });
}

async function takeFromDirectory(directory: string, bundleReader: BundleReader, signal: AbortSignal): Promise<void> {
  const read = (name: string) => {
    const path = join(directory, name);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) throw badBundle(directory, `it has no file \`${name}\``);
    return readFileSync(path, 'utf8');
  };
  const text = read(manifestName);
  // If the directory was extracted from a tar, its sums have another line about the tar.
  if (!read(sumsName).startsWith(sumsOf(text))) {
    throw badBundle(directory, `its \`${manifestName}\` does not match its \`${sumsName}\``);
  }
  for (const file of bundleReader.begin(text).blobs) {
    signal.throwIfAborted();
    const path = join(directory, file.path);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size !== file.size) {
      throw badBundle(directory, `\`${file.path}\` is not a file of ${file.size} bytes`);
    }
    await bundleReader.take(file, createReadStream(path));
  }
}

interface UnpackRequest {
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
class BundleReader {
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

// The manifest of all servers for all platforms has less than a megabyte.
const maxManifestBytes = 16e6;

/**
 * Reads a bundle that is a file, compressed or not, and passes the listed files to `bundleReader`. All other bytes,
 * down to the padding, must be exactly those that this program writes.
 *
 * @throws {ExpectedError} `install.bad-bundle`; errors of `bundleReader`; system errors of reading.
 */
async function readBundleTar(bundle: string, bundleReader: BundleReader, signal: AbortSignal): Promise<void> {
  const decoder = createTarDecoder({ strict: true });
  const before = createHash('sha256');
  const tailBuffer = new TailBuffer(tailBytes);
  const feeding = feed(bundle, decoder.writable, (chunk) => before.update(tailBuffer.push(chunk)), signal);
  // A read failure reaches the loop over the entries.
  feeding.catch(() => undefined);
  const reader = decoder.readable.getReader();
  try {
    const manifest = await readEntries(reader, bundleReader);
    await feeding;
    const expected = await tailOf(manifest, before.digest('hex'));
    if (Buffer.compare(tailBuffer.tail, expected) !== 0)
      throw badBundle(bundle, `its \`${sumsName}\` does not match its content`);
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    throw error;
  }
}

/** Passes every entry to `bundleReader` and returns the text of the manifest. */
async function readEntries(
  reader: ReadableStreamDefaultReader<ParsedTarEntry>,
  bundleReader: BundleReader,
): Promise<string> {
  const first = await nextFile(reader, bundleReader, { path: manifestName, size: undefined });
  if (first.header.size > maxManifestBytes)
    throw badBundle(bundleReader.bundle, `its \`${manifestName}\` is too large`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of first.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const { blobs, files } = bundleReader.begin(text);
  for (const file of [...blobs, ...files])
    await bundleReader.take(file, (await nextFile(reader, bundleReader, file)).body);
  const sums = await nextFile(reader, bundleReader, { path: sumsName, size: undefined });
  for await (const _chunk of sums.body);
  const extra = await reader.read();
  if (!extra.done)
    throw badBundle(bundleReader.bundle, `\`${extra.value.header.name}\` is not in its \`${manifestName}\``);
  return text;
}

async function nextFile(
  reader: ReadableStreamDefaultReader<ParsedTarEntry>,
  { bundle }: BundleReader,
  { path, size }: Pick<BundledFile, 'path'> & { readonly size: number | undefined },
): Promise<ParsedTarEntry> {
  const { done, value } = await reader.read();
  if (done) throw badBundle(bundle, `it ends before \`${path}\``);
  const { name, type, size: found } = value.header;
  if (name !== path) throw badBundle(bundle, `it has ${JSON.stringify(name)} in place of \`${path}\``);
  if (type !== 'file') throw badBundle(bundle, `\`${path}\` in it is not a file but has the type ${type ?? 'unknown'}`);
  if (size !== undefined && found !== size)
    throw badBundle(bundle, `\`${path}\` in it has ${found} bytes, not ${size}`);
  return value;
}

async function feed(
  bundle: string,
  target: WritableStream<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
  signal: AbortSignal,
): Promise<void> {
  const writer = target.getWriter();
  try {
    for await (const chunk of contentOf(bundle)) {
      signal.throwIfAborted();
      onChunk(chunk);
      await writer.write(chunk);
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
}

function contentOf(bundle: string): Readable {
  const file = createReadStream(bundle);
  return isGzip(bundle) ? pipeline(file, createGunzip(), () => undefined) : file;
}

function isGzip(bundle: string): boolean {
  const start = Buffer.alloc(2);
  const file = openSync(bundle, 'r');
  try {
    readSync(file, start);
  } finally {
    closeSync(file);
  }
  return start.equals(Buffer.from([0x1f, 0x8b]));
}
