import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { algorithmOf, hexDigest } from './integrity.ts';
import { foldersBelow, serverFolders, storeFolders } from './layout.ts';

/** Where blobs may lie: our own folder, and read-only stores. */
export interface BlobPlaces {
  /** Our home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the path of a blob relative to a folder of blobs, with `/`, such as `sha512/<hex>`: its name in our folders, in
 * bundles and on mirrors.
 */
export function blobName(integrity: string): string {
  return `${algorithmOf(integrity)}/${hexDigest(integrity)}`;
}

/** Returns the absolute path that a blob has below our home folder, whether or not it is there. */
export function ownBlobPath(home: string, integrity: string): string {
  return join(serverFolders(home).blobs, blobName(integrity));
}

/** Returns the absolute path of a blob that is here, in a store or in our own folder. Its content is not looked at. */
export function findBlob({ home, env }: BlobPlaces, integrity: string): string | undefined {
  const roots = [...storeFolders(env).map((root) => foldersBelow(root).blobs), serverFolders(home).blobs];
  return roots.map((root) => join(root, blobName(integrity))).find((path) => existsSync(path));
}
