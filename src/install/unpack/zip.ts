import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { requireSaneRatio } from './decompress.ts';
import { badEntry } from './entry-names.ts';
import { type Tree, tooMuch } from './tree.ts';

interface ZipOptions {
  readonly what: string;
  readonly signal: AbortSignal;
  /** Size of the archive. */
  readonly sizeBytes: number;
  /** Called with the number of unpacked entries. */
  onEntries?(done: number, total: number): void;
}

interface PlannedEntry {
  readonly entry: Entry;
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link';
}

const maxEntries = 200_000;
// The file type bits of a Unix mode, and the allowed types.
const kindMask = 0o170000;
const kinds = new Map<number, PlannedEntry['kind']>([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'directory'],
  [0o120000, 'link'],
]);
// The host systems, in `versionMadeBy`, whose entries have Unix modes: Unix and macOS.
const unixes = [3, 19];
// Flag of a local header without sizes and checksum, which then follow the content.
const sizesFollow = 1 << 3;
const maxLinkBytes = 4096;

/**
 * Unpacks the zip archive at `path` (absolute) into `tree`. Checks all names before it writes the first file, and
 * requires that each entry's two headers agree. Links must lead to entries of the archive.
 *
 * @throws {ExpectedError} `install.failed` for an entry that is not allowed and for too many entries or bytes; errors
 *   of the reader for a broken archive.
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
    if (kind === undefined) throw badEntry(what, entry.fileName, 'it is not a file');
    if (entry.isEncrypted()) throw badEntry(what, entry.fileName, 'it is encrypted');
    totalBytes += entry.uncompressedSize;
    // Checks the declared sizes. The actual bytes are counted when the entry is unpacked.
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

/** Returns the entry's Unix mode, or 0 if another system made the archive. */
function unixMode({ versionMadeBy, externalFileAttributes }: Entry): number {
  return unixes.includes(versionMadeBy >>> 8) ? externalFileAttributes >>> 16 : 0;
}

async function unpackEntry(zip: ZipFile, { entry, path, kind }: PlannedEntry, tree: Tree, what: string): Promise<void> {
  if (kind === 'directory') return tree.addDirectory(path);
  await requireSameHeaders(zip, entry, what);
  if (kind === 'link') {
    if (entry.uncompressedSize > maxLinkBytes)
      throw badEntry(what, entry.fileName, `it is a link to a path of more than ${maxLinkBytes} bytes`);
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

/** Requires that the local header agrees with the central directory, because other programs may read either of them. */
async function requireSameHeaders(zip: ZipFile, entry: Entry, what: string): Promise<void> {
  const local = await zip.readLocalFileHeaderPromise(entry);
  const hasSizes = (local.generalPurposeBitFlag & sizesFollow) === 0;
  // Zip64 entries have their sizes in an extra field.
  const isSameSize = (found: number, expected: number) => found === expected || found === 0xffffffff;
  const isSame =
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    (!hasSizes ||
      (local.crc32 === entry.crc32 &&
        isSameSize(local.compressedSize, entry.compressedSize) &&
        isSameSize(local.uncompressedSize, entry.uncompressedSize)));
  if (!isSame) throw badEntry(what, entry.fileName, 'its two headers in the archive differ');
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
