import { createReadStream, type ReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { tooMuch } from './tree.ts';

/** The compression of a whole file. */
export type Compression = 'none' | 'gzip' | 'xz' | 'bzip2';

const chunkBytes = 2 ** 18;
// Program code compresses to a third or a tenth of its size. A ratio above this means a decompression bomb.
const maxRatio = 200;
const harmlessBytes = 10e6;

/**
 * Yields the decompressed content of the file at `path` (absolute). Calls `onRead` with the number of compressed bytes
 * read.
 *
 * @throws {ExpectedError} `install.failed` for a decompression bomb; errors of the decoder.
 */
export async function* decompressed(
  path: string,
  { what, compression, onRead }: { what: string; compression: Compression; onRead?: (readBytes: number) => void },
): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: chunkBytes });
  let writtenBytes = 0;
  try {
    for await (const chunk of decoded(file, compression, what)) {
      writtenBytes += chunk.length;
      requireSaneRatio(what, file.bytesRead, writtenBytes);
      yield chunk;
      onRead?.(file.bytesRead);
    }
  } finally {
    file.destroy();
  }
}

/** @throws {ExpectedError} `install.failed` if the compression ratio is that of a decompression bomb. */
export function requireSaneRatio(what: string, packedBytes: number, writtenBytes: number): void {
  if (writtenBytes <= harmlessBytes || writtenBytes <= packedBytes * maxRatio) return;
  throw tooMuch(what, `at least ${writtenBytes} bytes in ${packedBytes}: a decompression bomb`);
}

async function* decoded(file: ReadStream, compression: Compression, what: string): AsyncGenerator<Uint8Array> {
  switch (compression) {
    case 'none':
      return yield* file;
    case 'gzip': {
      const gunzip = createGunzip({ chunkSize: chunkBytes });
      file.on('error', (error) => gunzip.destroy(error));
      return yield* file.pipe(gunzip);
    }
    case 'xz':
      return yield* unxzipped(file);
    case 'bzip2':
      return yield* unbzipped(file, what);
  }
}

// These two decoders are loaded on first use, because one of them contains WebAssembly.

async function* unxzipped(file: ReadStream): AsyncGenerator<Uint8Array> {
  const XzReadableStream = await loadXz();
  const chunks: AsyncIterator<Buffer> = file[Symbol.asyncIterator]();
  const compressed = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
  });
  const reader = new XzReadableStream(compressed).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // The decoder processes one stream at a time: without the cancellation, an abandoned stream would block the next
    // one forever. A failed stream has released the decoder already.
    await reader.cancel().catch(() => undefined);
  }
}

async function loadXz() {
  type Xz = typeof import('xz-decompress');
  const module: Xz & { default?: Xz } = await import('xz-decompress');
  // Deno exports a CommonJS module only as `default`.
  return (module.default ?? module).XzReadableStream;
}

async function* unbzipped(file: ReadStream, what: string): AsyncGenerator<Uint8Array> {
  const { default: unbzip2 } = await import('unbzip2-stream');
  const decoder = unbzip2();
  let ready: Uint8Array[] = [];
  let problem: unknown;
  let totalBytes = 0;
  decoder.on('error', (error: unknown) => {
    problem ??= error;
  });
  decoder.on('data', (chunk: Uint8Array) => {
    totalBytes += chunk.length;
    // The decoder emits all data of one write synchronously, so this check is the only chance to stop it.
    requireSaneRatio(what, file.bytesRead, totalBytes);
    ready.push(chunk);
  });
  const take = () => {
    if (problem !== undefined) throw problem;
    const taken = ready;
    ready = [];
    return taken;
  };
  for await (const chunk of file) {
    decoder.write(chunk);
    yield* take();
  }
  decoder.end();
  yield* take();
}
