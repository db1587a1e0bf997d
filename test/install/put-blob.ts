import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ownBlobPath } from '../../src/install/store/blobs.ts';

/** Writes `bytes` as the blob with this integrity below a home directory, and returns its absolute path. */
export function putBlob(home: string, integrity: string, bytes: Uint8Array): string {
  const path = ownBlobPath(home, integrity);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes, { mode: 0o444 });
  return path;
}
