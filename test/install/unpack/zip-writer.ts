import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip archive, written as given even if it is invalid. */
export interface ZipEntry {
  readonly name: string;
  readonly data?: string | Uint8Array;
  /** Unix mode including the file type; without it, the entry says that another system made it. */
  readonly mode?: number;
  readonly isStored?: boolean;
  /** Values of the local header that differ from the central directory. */
  readonly localName?: string;
  readonly localSize?: number;
  /** False values about the content. */
  readonly claimedSize?: number;
  readonly crc?: number;
  readonly method?: number;
  readonly flags?: number;
}

/** Returns a zip archive with exactly these entries. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? '');
    const packed = entry.isStored ? data : deflateRawSync(data);
    const local = header(0x04034b50, entry, { data, packed, name: entry.localName ?? entry.name, isLocal: true });
    list.push(header(0x02014b50, entry, { data, packed, name: entry.name, offset }));
    parts.push(local, packed);
    offset += local.length + packed.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

interface Content {
  readonly data: Buffer;
  readonly packed: Buffer;
  readonly name: string;
  readonly isLocal?: boolean;
  readonly offset?: number;
}

function header(signature: number, entry: ZipEntry, { data, packed, name, isLocal, offset = 0 }: Content): Buffer {
  const nameBytes = Buffer.from(name);
  const size = (isLocal ? entry.localSize : undefined) ?? entry.claimedSize ?? data.length;
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  // Names are UTF-8.
  common.writeUInt16LE(0x800 | (entry.flags ?? 0), 2);
  common.writeUInt16LE(entry.method ?? (entry.isStored ? 0 : 8), 4);
  common.writeUInt32LE(entry.crc ?? crc32(data), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(size, 18);
  common.writeUInt16LE(nameBytes.length, 22);
  const start = Buffer.alloc(isLocal ? 4 : 6);
  start.writeUInt32LE(signature, 0);
  if (isLocal) return Buffer.concat([start, common, nameBytes]);
  start.writeUInt16LE(entry.mode === undefined ? 20 : (3 << 8) | 20, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 6);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([start, common, rest, nameBytes]);
}
