import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../../base/errors.ts';
import { algorithmOf, hexDigest } from '../lock/integrity.ts';
import { directoriesBelow, serverDirectories, storeDirectories } from './layout.ts';

/** Where blobs may lie: our own directory, and read-only stores. */
export interface BlobContext {
  /** Our home directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the path of a blob relative to a directory of blobs, with `/`, such as `sha512/<hex>`: its name in our directories, in
 * bundles and on mirrors.
 */
export function blobName(integrity: string): string {
  return `${algorithmOf(integrity)}/${hexDigest(integrity)}`;
}

/** Returns the absolute path that a blob has below our home directory, whether or not it is there. */
export function ownBlobPath(home: string, integrity: string): string {
  return join(serverDirectories(home).blobs, blobName(integrity));
}

/** Returns the absolute path of a blob that is here, in a store or in our own directory. Its content is not looked at. */
export function findBlob({ home, env }: BlobContext, integrity: string): string | undefined {
  const roots = [...storeDirectories(env).map((root) => directoriesBelow(root).blobs), serverDirectories(home).blobs];
  return roots.map((root) => join(root, blobName(integrity))).find((path) => existsSync(path));
}

/**
 * Moves a verified file to its place among our blobs and returns its path there. What was there under the same name may be
 * damaged and is replaced: the new bytes have just been checked.
 */
export function keepAsBlob(path: string, home: string, integrity: string): string {
  const kept = ownBlobPath(home, integrity);
  mkdirSync(dirname(kept), { recursive: true });
  chmodSync(path, 0o444);
  try {
    renameSync(path, kept);
  } catch (error) {
    // Windows replaces no file that is open; it is the same one.
    const isBusy = ['EPERM', 'EACCES', 'EBUSY', 'EEXIST'].includes(systemCode(error) ?? '');
    if (process.platform !== 'win32' || !isBusy || !existsSync(kept)) throw error;
  }
  return kept;
}
