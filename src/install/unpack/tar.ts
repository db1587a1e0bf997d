import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { type Compression, decompressed } from './decompress.ts';
import { badEntry } from './entry-names.ts';
import type { Tree } from './tree.ts';

interface TarOptions {
  readonly what: string;
  readonly compression: Compression;
  readonly signal: AbortSignal;
  /** Called with the number of bytes of the archive read so far. */
  onRead?(readBytes: number): void;
}

/**
 * Unpacks the tar archive at `path` (absolute) into `tree` as a stream: neither the archive nor a file in it is in
 * memory as a whole. Links must lead to entries of the archive.
 *
 * @throws {ExpectedError} `install.failed` for an entry that is not allowed and for too many entries or bytes; errors
 *   of the decoders for a broken archive.
 */
export async function unpackTar(path: string, tree: Tree, options: TarOptions): Promise<void> {
  const decoder = createTarDecoder({ strict: true });
  const feeding = feed(path, decoder.writable, options);
  // Handled here, so that a rejection is never unhandled. `await feeding` below throws the error.
  feeding.catch(() => undefined);
  const entries = decoder.readable.getReader();
  try {
    for (;;) {
      const { done, value } = await entries.read();
      if (done) break;
      options.signal.throwIfAborted();
      await unpackEntry(value, tree, options.what);
    }
    await feeding;
  } catch (error) {
    entries.cancel(error).catch(() => undefined);
    // A decoder's failure appears on this side only as an aborted stream; `feeding` rejects with the cause.
    await feeding;
    throw error;
  }
  tree.finish();
}

async function feed(path: string, writable: WritableStream<Uint8Array>, options: TarOptions): Promise<void> {
  const writer = writable.getWriter();
  writer.closed.catch(() => undefined);
  const { what, compression } = options;
  const onRead = (readBytes: number) => options.onRead?.(readBytes);
  try {
    for await (const chunk of decompressed(path, { what, compression, onRead })) {
      options.signal.throwIfAborted();
      await writer.ready;
      await writer.write(chunk);
    }
    await writer.close();
  } catch (error) {
    writer.abort(error).catch(() => undefined);
    throw error;
  }
}

async function unpackEntry({ header, body }: ParsedTarEntry, tree: Tree, what: string): Promise<void> {
  const { name, type = 'file', linkname = '' } = header;
  if (type === 'file') return await unpackFile({ header, body }, tree);
  await body.cancel();
  if (type === 'directory') {
    const path = tree.claim(name, 'directory');
    if (path !== undefined) tree.addDirectory(path);
  } else if (type === 'symlink') {
    const path = tree.claim(name, 'link');
    if (path !== undefined) tree.addLink(path, linkname, name);
  } else if (type === 'link') {
    const path = tree.claim(name, 'file');
    if (path !== undefined) tree.addCopy(path, linkname, name);
  } else {
    throw badEntry(what, name, `it is not a file but has the type ${type}`);
  }
}

async function unpackFile({ header, body }: ParsedTarEntry, tree: Tree): Promise<void> {
  const path = tree.claim(header.name, 'file');
  if (path === undefined) return await body.cancel();
  const file = tree.openFile(path, { isProgram: ((header.mode ?? 0) & 0o111) !== 0 });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      file.write(value);
    }
  } finally {
    file.close();
  }
}
