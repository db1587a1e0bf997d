import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { requireSaneRatio } from './decompress.ts';
import { badEntry } from './entry-names.ts';
import { type Tree, tooMuch } from './tree.ts';

export interface ZipOptions {
  readonly what: string;
  readonly signal: AbortSignal;
  /** Of the archive's file. */
  readonly sizeBytes: number;
  /** Called with how many entries are done. */
  onEntries?(done: number, total: number): void;
}

interface PlannedEntry {
  readonly entry: Entry;
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link';
}

const maxEntries = 200_000;
// Of an entry's Unix mode: what kind of thing it is, and the kinds there are.
const kindMask = 0o170000;
const kinds = new Map<number, PlannedEntry['kind']>([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'directory'],
  [0o120000, 'link'],
]);
// Systems whose mode bits an archive carries, by their number in it: Unix and macOS.
const unixes = [3, 19];
// The header before the content has no sizes and no checksum; they follow the content.
const sizesFollow = 1 << 3;
const maxLinkBytes = 4096;

/**
 * Unpacks the zip archive at absolute `path` into `tree`. All names are checked before the first file is written, and each
 * entry's two headers must agree. Links may lead to what is in the archive only.
 *
 * @throws {ExpectedError} `install.failed` for an entry that is refused, and for more than anything real holds; errors of
 *   the reader for a broken archive.
 */
export async function unpackZip(path: string, tree: Tree, options: ZipOptions): Promise<void> {
  const zip = await yauzl.openPromise(path, { autoClose: false, strictFileNames: true });
  try {
    const planned = await plan(zip, tree, options);
    for (const [index, item] of planned.entries()) {
      options.signal.throwIfAborted();
      await unpackEntry(zip, item, tree, options.what);
      options.onEntries?.(index + 1, planned.length);
    }
    tree.finish();
  } finally {
    zip.close();
  }
}

async function plan(zip: ZipFile, tree: Tree, { what, sizeBytes }: ZipOptions): Promise<PlannedEntry[]> {
  if (zip.entryCount > maxEntries) throw tooMuch(what, `${zip.entryCount} entries`);
  const planned: PlannedEntry[] = [];
  let totalBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const kind = kindOf(entry);
    if (kind === undefined) throw badEntry(what, entry.fileName, 'it is no file');
    if (entry.isEncrypted()) throw badEntry(what, entry.fileName, 'it is encrypted');
    totalBytes += entry.uncompressedSize;
    // What it says of itself; what comes out is counted too, and may not be more.
    requireSaneRatio(what, entry.compressedSize, entry.uncompressedSize);
    requireSaneRatio(what, sizeBytes, totalBytes);
    const path = tree.claim(entry.fileName, kind);
    if (path !== undefined) planned.push({ entry, path, kind });
  }
  return planned;
}

function kindOf(entry: Entry): PlannedEntry['kind'] | undefined {
  const isDirectory = entry.fileName.endsWith('/');
  const mode = unixMode(entry) & kindMask;
  const kind = kinds.get(mode);
  if (!isDirectory) return kind === 'directory' ? undefined : kind;
  return kind === 'directory' || mode === 0 ? 'directory' : undefined;
}

/** Returns the entry's mode on Unix, or 0 where the archive was made elsewhere. */
function unixMode({ versionMadeBy, externalFileAttributes }: Entry): number {
  return unixes.includes(versionMadeBy >>> 8) ? externalFileAttributes >>> 16 : 0;
}

async function unpackEntry(zip: ZipFile, { entry, path, kind }: PlannedEntry, tree: Tree, what: string): Promise<void> {
  if (kind === 'directory') return tree.addDirectory(path);
  await requireSameHeaders(zip, entry, what);
  if (kind === 'link') {
    if (entry.uncompressedSize > maxLinkBytes) throw badEntry(what, entry.fileName, 'it is a link to a name too long');
    const chunks: Uint8Array[] = [];
    await read(zip, { entry, what }, (chunk) => void chunks.push(chunk));
    return tree.addLink(path, Buffer.concat(chunks).toString('utf8'), entry.fileName);
  }
  const file = tree.openFile(path, { isProgram: (unixMode(entry) & 0o111) !== 0 });
  try {
    await read(zip, { entry, what }, (chunk) => file.write(chunk));
  } finally {
    file.close();
  }
}

/** Other programs may go by the header before the content: with another name there an archive would mean two things. */
async function requireSameHeaders(zip: ZipFile, entry: Entry, what: string): Promise<void> {
  const local = await zip.readLocalFileHeaderPromise(entry);
  const saysSizes = (local.generalPurposeBitFlag & sizesFollow) === 0;
  // Large files have their sizes elsewhere.
  const isSize = (found: number, expected: number) => found === expected || found === 0xffffffff;
  const isSame =
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    (!saysSizes ||
      (local.crc32 === entry.crc32 &&
        isSize(local.compressedSize, entry.compressedSize) &&
        isSize(local.uncompressedSize, entry.uncompressedSize)));
  if (!isSame) throw badEntry(what, entry.fileName, 'the archive says two things of it');
}

async function read(
  zip: ZipFile,
  { entry, what }: { entry: Entry; what: string },
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  let sum = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    sum = crc32(chunk, sum);
    take(chunk);
  }
  if (sum !== entry.crc32) throw badEntry(what, entry.fileName, 'its checksum is wrong');
}
