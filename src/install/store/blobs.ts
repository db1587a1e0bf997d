import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBusyFile } from '../../base/busy-file.ts';
import { systemCode } from '../../base/errors.ts';
import { algorithmOf, hexDigest } from '../lock/integrity.ts';
import { directoriesBelow, serverDirectories, storeDirectories } from './layout.ts';

/** Locates blobs: below SERENA_HOME, and in the read-only stores that `env` names. */
export interface BlobContext {
  /** Absolute path of SERENA_HOME. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the path of a blob relative to a directory of blobs, with `/`, such as `sha512/<hex>`. It is the same below
 * SERENA_HOME, in stores, in bundles and on mirrors.
 */
export function blobName(integrity: string): string {
  return `${algorithmOf(integrity)}/${hexDigest(integrity)}`;
}

/** Returns the absolute path of a blob below SERENA_HOME, whether or not it exists. */
export function ownBlobPath(home: string, integrity: string): string {
  return join(serverDirectories(home).blobs, blobName(integrity));
}

/** Returns the absolute path of an existing blob, in a store or below SERENA_HOME. Does not check its content. */
export function findBlob({ home, env }: BlobContext, integrity: string): string | undefined {
  const roots = [...storeDirectories(env).map((root) => directoriesBelow(root).blobs), serverDirectories(home).blobs];
  return roots.map((root) => join(root, blobName(integrity))).find((path) => existsSync(path));
}

/**
 * Moves a verified file to the blobs below SERENA_HOME and returns its new absolute path. Replaces a blob of the same
 * name, which may be damaged, whereas the new bytes have just been verified.
 */
export function keepAsBlob(path: string, home: string, integrity: string): string {
  const kept = ownBlobPath(home, integrity);
  mkdirSync(dirname(kept), { recursive: true });
  chmodSync(path, 0o444);
  try {
    renameSync(path, kept);
  } catch (error) {
    // Windows cannot replace a file that is open. The existing blob then has the same content.
    const isTaken = isBusyFile(error) || systemCode(error) === 'EEXIST';
    if (!isTaken || !existsSync(kept)) throw error;
  }
  return kept;
}
