import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { packTar } from 'modern-tar';

/** A file in an archive. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isProgram: boolean;
}

/** Returns a `.tar.gz` with these files. The result is reproducible. */
export async function packTarGz(files: readonly PackedFile[], modified: Date): Promise<Uint8Array> {
  return gzipSync(await packFiles(files, modified), { level: 9 });
}

/**
 * Returns a `.tar.xz` with these files, a quarter smaller than `.tar.gz`. The result is reproducible with the same version of
 * `xz`, which must be on `PATH`.
 *
 * @throws {Error} if `xz` is missing or fails.
 */
export async function packTarXz(files: readonly PackedFile[], modified: Date): Promise<Uint8Array> {
  // One thread: more of them would compress in blocks.
  const packed = spawnSync('xz', ['-9', '--threads=1', '--stdout'], {
    input: await packFiles(files, modified),
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (packed.status === 0) return packed.stdout;
  throw new Error(`cannot compress with \`xz\`: ${packed.error?.message ?? packed.stderr}`);
}

function packFiles(files: readonly PackedFile[], modified: Date): Promise<Uint8Array> {
  const entries = files.map(({ name, bytes, isProgram }) => ({
    header: {
      ...{ name, size: bytes.length, type: 'file' as const, mode: isProgram ? 0o755 : 0o644, mtime: modified },
      ...{ uid: 0, gid: 0, uname: 'root', gname: 'root' },
    },
    body: bytes,
  }));
  return packTar(entries);
}

/** Returns a `.zip` with these files. The result is reproducible in any time zone. */
export function packZip(files: readonly PackedFile[], modified: Date): Uint8Array {
  const unix = 3;
  const entries = files.map(({ name, bytes, isProgram }) => [
    name,
    [bytes, { level: 9, mtime: asLocal(modified), os: unix, attrs: (isProgram ? 0o100755 : 0o100644) << 16 }],
  ]);
  return zipSync(Object.fromEntries(entries));
}

/** Converts UTC to the local time with the same digits: zip stores local time without a zone. */
function asLocal(date: Date): Date {
  const day = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()] as const;
  return new Date(...day, date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds());
}
