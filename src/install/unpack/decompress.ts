import { createReadStream, type ReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { tooMuch } from './tree.ts';

/** How a file is compressed as a whole. */
export type Compression = 'none' | 'gzip' | 'xz' | 'bzip2';

const chunkBytes = 2 ** 18;
// Program code shrinks to a third or a tenth; nothing that anyone wrote shrinks to this.
const maxRatio = 200;
const harmlessBytes = 10e6;

/**
 * Yields what the file at absolute `path` holds. `onRead` is called with how much of the file has been read.
 *
 * @throws {ExpectedError} `install.failed` for content that grows beyond measure; errors of the decoder.
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

/** @throws {ExpectedError} `install.failed` if content of `writtenBytes` was packed into impossibly few. */
export function requireSaneRatio(what: string, packedBytes: number, writtenBytes: number): void {
  if (writtenBytes <= harmlessBytes || writtenBytes <= packedBytes * maxRatio) return;
  throw tooMuch(what, `at least ${writtenBytes} bytes in ${packedBytes}, which is a bomb and not a program`);
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

// The two decoders are loaded with the first archive of their kind: one of them carries a program of its own.

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
    // Only one is read at a time: the next would wait for ever for one that was left in the middle. One that has failed has
    // made room by itself.
    await reader.cancel().catch(() => undefined);
  }
}

async function loadXz() {
  type Xz = typeof import('xz-decompress');
  const module: Xz & { default?: Xz } = await import('xz-decompress');
  // Deno gives a module of the older kind as one thing.
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
    // It decodes all that it has been given at once: only this stops it in between.
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
