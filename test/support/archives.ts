import { crc32, gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';

/** Path with `/` → text of each file of an archive. Every file is executable, as in some releases. */
export type ArchiveFiles = Readonly<Record<string, string>>;

/** Returns a gzipped tar archive. */
export async function makeTarGz(files: ArchiveFiles): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([name, body]) => {
    const size = Buffer.byteLength(body);
    return { header: { name, size, type: 'file', mode: 0o755 } as const, body };
  });
  return gzipSync(await packTar(entries));
}

const isUtf8 = 0x0800;
const madeOnUnix = (3 << 8) | 20;

/** Returns a zip archive whose entries are not compressed. */
export function makeZip(files: ArchiveFiles): Uint8Array {
  const locals: Buffer[] = [];
  const listed: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, body] = [Buffer.from(path), Buffer.from(text)];
    // The fields that both headers of an entry share: version, flags, method, time and date, checksum, sizes, lengths.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isUtf8, 2);
    common.writeUInt32LE(crc32(body), 10);
    common.writeUInt32LE(body.length, 14);
    common.writeUInt32LE(body.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, body]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((0o100755 << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const made = Buffer.alloc(2);
    made.writeUInt16LE(madeOnUnix);
    listed.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, common, rest, name]));
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(listed);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(listed.length, 4);
  end.writeUInt16LE(listed.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, list, Buffer.from('PK\x05\x06'), end]);
}
