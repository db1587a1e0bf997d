import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createTarPacker, packTar, type TarHeader } from 'modern-tar';
import { sha256, sumsName } from './manifest.ts';

/** What goes into a tar: a file by its absolute path, or bytes. */
export interface TarContent {
  /** With `/`. */
  readonly path: string;
  readonly size: number;
  readonly source: string | Uint8Array;
}

/** Two empty blocks. */
const endBytes = 1024;
/** The entry of the sums, one block of text, and the end. */
export const tailBytes = 512 + 512 + endBytes;

/** Returns the header that an entry has in every bundle, whoever makes it: no time, no owner, one of two modes. */
function headerOf(path: string, size: number): TarHeader {
  const mode = path.startsWith('bin/') ? 0o755 : 0o644;
  return { name: path, size, mode, type: 'file', mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: '' };
}

/**
 * Yields a tar of `contents` in their order, the first of which is the manifest, and at its end the sums. Equal contents
 * make equal bytes.
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
  // Whoever reads hears of it through the stream.
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

/** Returns the last bytes of a bundle with this manifest, when `digest` is the SHA-256 of all bytes before them. */
export function tailOf(manifest: string, digest: string): Promise<Uint8Array> {
  const text = sumsOf(manifest, digest);
  return packTar([{ header: headerOf(sumsName, text.length), body: text }]);
}

/** Returns the text of the sums; without `digest` that of a directory. */
export function sumsOf(manifest: string, digest?: string): string {
  return `${sha256(manifest)}  bundle.json\n${digest === undefined ? '' : `${digest}  (all before this file)\n`}`;
}

/** Passes bytes on but for the last ones. */
export class TailBuffer {
  readonly #count: number;
  #held: Uint8Array = new Uint8Array();

  constructor(count: number) {
    this.#count = count;
  }

  /** Returns the bytes that are now known not to be among the last ones. */
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
