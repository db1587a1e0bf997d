import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { ExpectedError } from '../../base/errors.ts';
import { tryStat } from '../../base/file-state.ts';
import { openRegularFile, type RootedPath } from '../../base/open-regular-file.ts';
import { Slices } from '../../base/yielding.ts';
import { readError } from '../../search/read-error.ts';
import type { DependencyArchive } from './dependency-provider.ts';

/** A file that is no zip archive, or whose headers contradict each other. */
class BrokenArchive extends Error {
  constructor(options?: ErrorOptions) {
    super('broken archive', options);
    this.name = 'BrokenArchive';
  }
}

interface Entry {
  /** Offset of its header, and of the next one. */
  readonly start: number;
  readonly end: number;
  readonly packedSize: number;
  readonly isDeflated: boolean;
}

const endSignature = 0x0605_4b50;
const directorySignature = 0x0201_4b50;
const headerSignature = 0x0403_4b50;
const endLength = 22;
const directoryEntryLength = 46;
const headerLength = 30;
const maxCommentLength = 0xffff;
const isEncrypted = 1;
const deflated = 8;
/** Larger source files are left out, as in projects. */
const maxEntryBytes = 16 * 1024 * 1024;
const maxDirectoryBytes = 64 * 1024 * 1024;
/** Entries that follow each other are read together, up to this size. */
const readBytes = 4 * 1024 * 1024;

/**
 * A zip archive of sources, which is read in place: nothing of it is written to disk, and names of entries are never used
 * as paths. The content may be hostile.
 */
export class SourceArchive {
  readonly #place: RootedPath;
  readonly #name: string;
  readonly #entries: ReadonlyMap<string, Entry>;

  /**
   * `name` is for messages.
   *
   * @throws {ExpectedError} `file.unreadable` if it is no zip archive; the errors of {@link openRegularFile}.
   */
  constructor(place: RootedPath, name: string) {
    this.#place = place;
    this.#name = name;
    this.#entries = this.#withFile((fd, size) => entriesIn(fd, size));
  }

  /** True if there is a file of this name. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** True if there are files below this directory; `''` is the whole archive. */
  hasDirectory(name: string): boolean {
    return name === '' || [...this.#entries.keys()].some((one) => one.startsWith(`${name}/`));
  }

  /** Returns the content of a file. @throws {ExpectedError} `file.not-found`, `file.unreadable`. */
  read(name: string): Buffer {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new ExpectedError('file.not-found', `the archive has no \`${name}\``);
    return this.#withFile((fd) => unpacked(entry, bytesAt(fd, entry.start, entry.end - entry.start)));
  }

  /**
   * Returns the sorted names of the files below a directory, with one of these extensions, that contain a text.
   *
   * @throws {ExpectedError} `file.unreadable`; the signal's reason.
   */
  async containing(
    literal: string,
    { below, extensions }: { below: string; extensions: readonly string[] },
    signal: AbortSignal,
  ): Promise<string[]> {
    const isBelow = (name: string) => below === '' || name === below || name.startsWith(`${below}/`);
    const searched = [...this.#entries]
      .filter(([name]) => isBelow(name) && extensions.some((extension) => name.endsWith(extension)))
      .sort(([, a], [, b]) => a.start - b.start);
    const wanted = Buffer.from(literal);
    const slices = new Slices(signal);
    const found: string[] = [];
    const { fd } = openRegularFile(this.#place);
    try {
      let chunk: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };
      for (const [name, entry] of searched) {
        if (slices.isOver) await slices.pause();
        if (entry.start < chunk.start || entry.end > chunk.start + chunk.bytes.length) {
          const length = Math.max(readBytes, entry.end - entry.start);
          chunk = { start: entry.start, bytes: bytesAt(fd, entry.start, length, { mayEnd: true }) };
        }
        const packed = chunk.bytes.subarray(entry.start - chunk.start, entry.end - chunk.start);
        if (unpacked(entry, packed).includes(wanted)) found.push(name);
      }
    } catch (error) {
      throw this.#unreadable(error);
    } finally {
      closeSync(fd);
    }
    return found.sort();
  }

  #unreadable(error: unknown): unknown {
    if (!(error instanceof BrokenArchive)) return error;
    const message = `cannot read the sources of ${this.#name}: the archive is broken, or of a kind that is not supported`;
    return new ExpectedError('file.unreadable', message, { cause: error, hints: ['fetch these sources again'] });
  }

  #withFile<T>(work: (fd: number, size: number) => T): T {
    const { fd, stats } = openRegularFile(this.#place);
    try {
      return work(fd, stats.size);
    } catch (error) {
      throw this.#unreadable(error);
    } finally {
      closeSync(fd);
    }
  }
}

function entriesIn(fd: number, size: number): Map<string, Entry> {
  const { directory, directoryStart, count } = directoryOf(fd, size);
  const listed: { name: string; start: number; entry: Omit<Entry, 'end'> }[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + directoryEntryLength > directory.length || directory.readUInt32LE(at) !== directorySignature)
      throw new BrokenArchive();
    const flags = directory.readUInt16LE(at + 8);
    const method = directory.readUInt16LE(at + 10);
    const packedSize = directory.readUInt32LE(at + 20);
    const nameLength = directory.readUInt16LE(at + 28);
    const start = directory.readUInt32LE(at + 42);
    const nameAt = at + directoryEntryLength;
    const name = directory.toString('utf8', nameAt, nameAt + nameLength);
    at = nameAt + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    const isRead = (method === 0 || method === deflated) && (flags & isEncrypted) === 0;
    const entry = { start, packedSize, isDeflated: method === deflated };
    listed.push({ name: isRead && isPlainName(name) ? name : '', start, entry });
  }
  const ordered = listed.sort((a, b) => a.start - b.start);
  return new Map(
    ordered.flatMap(({ name, entry }, index) => {
      const end = ordered[index + 1]?.start ?? directoryStart;
      const fits = end <= directoryStart && end - entry.start >= headerLength + entry.packedSize;
      return name === '' || !fits || entry.packedSize > maxEntryBytes ? [] : [[name, { ...entry, end }] as const];
    }),
  );
}

function directoryOf(fd: number, size: number): { directory: Buffer; directoryStart: number; count: number } {
  const tailLength = Math.min(size, endLength + maxCommentLength);
  const tail = bytesAt(fd, size - tailLength, tailLength);
  for (let at = tail.length - endLength; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== endSignature) continue;
    const count = tail.readUInt16LE(at + 10);
    const length = tail.readUInt32LE(at + 12);
    const directoryStart = tail.readUInt32LE(at + 16);
    // The maximum of a field refers to a longer form, for archives of more than 65,534 files or 4 GiB.
    if (count === 0xffff || directoryStart + length > size || length > maxDirectoryBytes) throw new BrokenArchive();
    return { directory: bytesAt(fd, directoryStart, length), directoryStart, count };
  }
  throw new BrokenArchive();
}

/** Names of directories end in `/`. Names become parts of addresses in answers. */
function isPlainName(name: string): boolean {
  const parts = name.split('/');
  return !/[\p{Cc}\\<>]/u.test(name) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

function unpacked({ packedSize, isDeflated }: Entry, bytes: Buffer): Buffer {
  if (bytes.length < headerLength || bytes.readUInt32LE(0) !== headerSignature) throw new BrokenArchive();
  const start = headerLength + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  const packed = bytes.subarray(start, start + packedSize);
  if (packed.length < packedSize) throw new BrokenArchive();
  try {
    return isDeflated ? inflateRawSync(packed, { maxOutputLength: maxEntryBytes }) : packed;
  } catch (error) {
    throw new BrokenArchive({ cause: error });
  }
}

function bytesAt(fd: number, start: number, length: number, { mayEnd = false } = {}): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const count = readSync(fd, bytes, read, length - read, start + read);
    if (count === 0) break;
    read += count;
  }
  if (read < length && !mayEnd) throw new BrokenArchive();
  return bytes.subarray(0, read);
}

export interface Archived {
  readonly archive: SourceArchive;
  /** First part of its addresses, see {@link DependencyArchive}. */
  readonly prefix: string;
  /** Name in the archive; `''` is the whole archive. */
  readonly path: string;
}

/** The lists of names of the archives that were used, until these change. */
export class OpenArchives {
  /** By absolute path. */
  readonly #known = new Map<string, { readonly state: string; readonly archive: SourceArchive }>();

  /**
   * Returns the file or directory at a path below the roots of archives; `undefined` if none has it.
   *
   * @throws {ExpectedError} `file.*` for an archive that cannot be read.
   */
  find(archives: readonly DependencyArchive[], path: string): Archived | undefined {
    for (const one of archives) {
      const inner = nameIn(one, path);
      if (inner === undefined) continue;
      const archive = this.#open(one);
      if (archive.has(inner) || archive.hasDirectory(inner)) return { archive, prefix: one.prefix, path: inner };
    }
    return undefined;
  }

  /** Returns a whole archive. @throws {ExpectedError} as {@link find}. */
  whole(one: DependencyArchive): Archived {
    return { archive: this.#open(one), prefix: one.prefix, path: '' };
  }

  #open(place: DependencyArchive): SourceArchive {
    const path = join(place.root, place.path);
    const stats = tryStat(path);
    const state = stats === undefined ? '' : [stats.dev, stats.ino, stats.size, stats.mtimeMs].join(':');
    const known = this.#known.get(path);
    if (known?.state === state) return known.archive;
    try {
      const archive = new SourceArchive({ root: place.root, path: place.path, links: 'inside' }, nameOf(place));
      this.#known.set(path, { state, archive });
      return archive;
    } catch (error) {
      throw readError(place.prefix || 'src.zip', error);
    }
  }
}

function nameOf({ prefix }: DependencyArchive): string {
  return prefix === '' ? 'the JDK' : `\`${prefix}\``;
}

function nameIn({ prefix }: DependencyArchive, path: string): string | undefined {
  const plain = path.replace(/\/$/, '');
  if (prefix === '' || plain === prefix) return prefix === '' ? plain : '';
  return plain.startsWith(`${prefix}/`) ? plain.slice(prefix.length + 1) : undefined;
}
