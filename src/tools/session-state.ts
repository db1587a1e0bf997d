import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ScriptEnd } from '../sandbox/script-protocol.ts';
import type { ScriptHost, ScriptSandbox } from '../sandbox/script-sandbox.ts';

/** State of one session that its tools share: the lines that were read, and the engine that runs scripts. */

/** A file with its content at the time of reading. */
export interface ReadFile {
  /** Absolute path of its project. */
  readonly root: string;
  /** Path relative to `root`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** First and last line, 0-based, inclusive. */
export type LineRange = readonly [first: number, last: number];

/** Records which lines of which files a client has read. The record of a file is valid only while its content is unchanged. */
export class LineReads {
  /** By absolute path. */
  readonly #files = new Map<string, { readonly contentHash: string; readonly ranges: Set<string> }>();

  /** Records that exactly these lines were read. */
  note(file: ReadFile, [first, last]: LineRange): void {
    const ranges = this.#rangesOf(file) ?? new Set();
    ranges.add(`${first}-${last}`);
    this.#files.set(join(file.root, file.path), { contentHash: hashOf(file.bytes), ranges });
  }

  /** True if exactly these lines were read while the file had the content in `file`. */
  has(file: ReadFile, [first, last]: LineRange): boolean {
    return this.#rangesOf(file)?.has(`${first}-${last}`) ?? false;
  }

  #rangesOf({ root, path, bytes }: ReadFile): Set<string> | undefined {
    const known = this.#files.get(join(root, path));
    return known?.contentHash === hashOf(bytes) ? known.ranges : undefined;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

/** Runs the scripts of one session; the engine is loaded with the first script. */
export class SessionScripts {
  #sandbox: Promise<ScriptSandbox> | undefined;

  /** See `ScriptSandbox.run`. */
  async run(source: string, host: ScriptHost): Promise<ScriptEnd> {
    this.#sandbox ??= import('../sandbox/script-sandbox.ts').then((module) => new module.ScriptSandbox());
    return await (await this.#sandbox).run(source, host);
  }

  /** Ends the process of the scripts, if it runs. */
  async close(): Promise<void> {
    await (await this.#sandbox)?.close();
  }
}
