import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import type { BundleReader } from './bundle-reader.ts';
import { type BundledFile, badBundle, manifestName, sumsName } from './manifest.ts';
import { TailBuffer, tailBytes, tailOf } from './tar.ts';

// The manifest of all servers for all platforms has less than a megabyte.
const maxManifestBytes = 16e6;

/**
 * Reads a bundle that is a file, compressed or not, and passes the listed files to `bundleReader`. All other bytes,
 * down to the padding, must be exactly those that this program writes.
 *
 * @throws {ExpectedError} `install.bad-bundle`; errors of `bundleReader`; system errors of reading.
 */
export async function readBundleTar(bundle: string, bundleReader: BundleReader, signal: AbortSignal): Promise<void> {
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
