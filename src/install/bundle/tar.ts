import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createTarPacker, packTar, type TarHeader } from 'modern-tar';
import { sha256, sumsName } from './manifest.ts';

/** A file to put into a tar. `source` is an absolute path or the bytes. */
export interface TarContent {
  /** With `/`. */
  readonly path: string;
  readonly size: number;
  readonly source: string | Uint8Array;
}

/** Size of the end of a tar: two empty blocks. */
const endBytes = 1024;
/** Size of the header of the sums, their one block of text, and the end. */
export const tailBytes = 512 + 512 + endBytes;

/** Returns a reproducible header: without time and owner, and with one of two modes. */
function headerOf(path: string, size: number): TarHeader {
  const mode = path.startsWith('bin/') ? 0o755 : 0o644;
  return { name: path, size, mode, type: 'file', mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: '' };
}

/**
 * Yields a tar of `contents` in their order, the manifest first, followed by the sums. Equal contents give equal bytes.
 */
export async function* bundleTar(contents: readonly TarContent[], manifest: string): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const adding = (async () => {
    for (const { path, size, source } of contents) {
      const body = typeof source === 'string' ? createReadStream(source) : [source];
      const writer = controller.add(headerOf(path, size)).getWriter();
      for await (const chunk of body) await writer.write(new Uint8Array(chunk));
      await writer.close();
    }
    controller.finalize();
  })();
  // The reader of the stream receives the error.
  adding.catch((error: unknown) => controller.error(error));
  const before = createHash('sha256');
  const tailBuffer = new TailBuffer(endBytes);
  for await (const chunk of readable) {
    const passed = tailBuffer.push(chunk);
    before.update(passed);
    yield passed;
  }
  yield await tailOf(manifest, before.digest('hex'));
}

/** Returns the last bytes of a bundle with this manifest; `digest` is the SHA-256 of all bytes before them. */
export function tailOf(manifest: string, digest: string): Promise<Uint8Array> {
  const text = sumsOf(manifest, digest);
  return packTar([{ header: headerOf(sumsName, text.length), body: text }]);
}

/** Returns the text of the sums; without `digest`, that of a bundle that is a directory. */
export function sumsOf(manifest: string, digest?: string): string {
  return `${sha256(manifest)}  bundle.json\n${digest === undefined ? '' : `${digest}  (all before this file)\n`}`;
}

/** Holds back the last `count` bytes of a stream and passes all earlier ones on. */
export class TailBuffer {
  readonly #count: number;
  #held: Uint8Array = new Uint8Array();

  constructor(count: number) {
    this.#count = count;
  }

  /** Appends `chunk` and returns the bytes that are certainly not among the last ones. */
  push(chunk: Uint8Array): Uint8Array {
    const all = Buffer.concat([this.#held, chunk]);
    const released = Math.max(0, all.length - this.#count);
    this.#held = all.subarray(released);
    return all.subarray(0, released);
  }

  /** The last bytes so far. */
  get tail(): Uint8Array {
    return this.#held;
  }
}
