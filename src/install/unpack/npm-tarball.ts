import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { foldedPath } from '../../base/paths.ts';
import { Slices } from '../../base/yielding.ts';
import { badEntry, nameProblem, partsOf } from './entry-names.ts';

interface UnpackOptions {
  /** The archive's name in messages, such as `pyright@1.1.414`. */
  readonly what: string;
  /** Absolute path; created if missing. */
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Called between slices of work with the number of files written so far. */
  onFiles?(written: number, total: number): void;
}

interface PlannedFile {
  /** Relative to the directory, with `/`. */
  readonly path: string;
  readonly data: Uint8Array;
  readonly mode: number;
}

// Two orders of magnitude larger than any pinned archive; stops a decompression bomb before it fills the memory.
const maxUnpackedBytes = 2 ** 31;

/**
 * Unpacks a gzipped npm tarball into `directory`, without the first path component of its entries.
 *
 * Checks all entries before it writes the first. A file's mode is 0755 if any execute bit is set, else 0644; owners,
 * times and other bits are dropped. Empty directories are not created.
 *
 * @throws {ExpectedError} `install.failed` for an entry that is not a plain file, has an unsafe or unportable name, or
 *   occurs twice with different content; and for a broken archive.
 */
export async function unpackTarball(
  tarball: Uint8Array,
  options: UnpackOptions,
): Promise<{ readonly files: number; readonly sizeBytes: number }> {
  const files = planFiles(await readEntries(tarball, options.what), options.what);
  const made = new Set<string>();
  const slices = new Slices(options.signal);
  for (const [index, file] of files.entries()) {
    if (slices.isOver) {
      options.onFiles?.(index, files.length);
      await slices.pause();
    }
    const path = join(options.directory, file.path);
    const parent = dirname(path);
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    // `wx`: the directory is new, so an existing file means that two entries' names are the same file on this system.
    writeFileSync(path, file.data, { mode: file.mode, flag: 'wx' });
  }
  options.onFiles?.(files.length, files.length);
  return { files: files.length, sizeBytes: files.reduce((sum, { data }) => sum + data.length, 0) };
}

type Entry = Awaited<ReturnType<typeof unpackTar>>[number];

async function readEntries(tarball: Uint8Array, what: string): Promise<readonly Entry[]> {
  try {
    const archive = await promisify(gunzip)(tarball, { maxOutputLength: maxUnpackedBytes });
    return await unpackTar(archive, { strict: true });
  } catch (error) {
    throw new ExpectedError('install.failed', `cannot unpack \`${what}\`: ${messageOf(error)}`, { cause: error });
  }
}

function planFiles(entries: readonly Entry[], what: string): readonly PlannedFile[] {
  const files = new Map<string, PlannedFile>();
  for (const { header, data } of entries) {
    const problem = problemOf(header.type, header.name);
    if (problem !== undefined) throw badEntry(what, header.name, problem);
    if (data === undefined) continue;
    const path = partsOf(header.name).slice(1).join('/');
    const earlier = files.get(foldedPath(path));
    // Some published packages contain a file twice, as `package/dist/index.js` and `package/./dist/index.js`.
    if (earlier?.path === path && Buffer.compare(earlier.data, data) === 0) continue;
    if (earlier !== undefined) throw badEntry(what, header.name, 'another entry has the same name');
    files.set(foldedPath(path), { path, data, mode: ((header.mode ?? 0) & 0o111) === 0 ? 0o644 : 0o755 });
  }
  return [...files.values()];
}

function problemOf(type: string | undefined, name: string): string | undefined {
  if (type !== 'file' && type !== 'directory') return `it is not a file but has the type ${type ?? 'unknown'}`;
  const problem = nameProblem(name, { isDirectory: type === 'directory' });
  if (problem !== undefined) return problem;
  return type === 'file' && partsOf(name).length < 2 ? 'it is outside the top directory' : undefined;
}
