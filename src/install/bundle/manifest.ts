import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { integritySchema } from '../lock/integrity.ts';
import { blobName } from '../store/blobs.ts';

/** The first entry of a bundle. */
export const manifestName = 'bundle.json';
/** The last entry of a bundle: hashes of the manifest and of all bytes before this entry. */
export const sumsName = 'SHA256SUMS';

/** A server for one platform; the bundle has all its blobs. */
export interface BundledServer {
  readonly id: string;
  readonly version: string;
  /** See `installKey()`. */
  readonly key: string;
  /** See `targetName()`. */
  readonly target: string;
}

/** One file of a bundle. `path` is relative to the bundle, with `/`; the size is in bytes. */
export interface BundledFile {
  readonly integrity: string;
  readonly size: number;
  readonly path: string;
}

/** `bundle.json`: the content of a bundle, in the order of its entries. */
export interface BundleManifest {
  readonly schema: 1;
  readonly tool: 'serena';
  readonly toolVersion: string;
  /** ISO 8601, UTC. Only present with `SOURCE_DATE_EPOCH`, so that equal contents give equal bytes. */
  readonly created?: string | undefined;
  /** The platforms it was made for. */
  readonly platforms: readonly string[];
  readonly servers: readonly BundledServer[];
  readonly blobs: readonly BundledFile[];
  /** Programs below `bin/` and texts below `LICENSES/`. They are for people and never unpacked. */
  readonly files: readonly BundledFile[];
}

export function bundledPath(integrity: string): string {
  return `blobs/${blobName(integrity)}`;
}

/** Returns the text of `bundle.json`. */
export function renderManifest(manifest: BundleManifest): string {
  return `${JSON.stringify(manifest, undefined, 1)}\n`;
}

/**
 * Parses `bundle.json`. Accepts only paths that this program writes: none leads out of the bundle, none occurs twice.
 *
 * @throws {ExpectedError} `install.bad-bundle`.
 */
export function parseManifest(text: string, bundle: string): BundleManifest {
  const size = z.int().nonnegative();
  const blob = z
    .strictObject({ integrity: integritySchema, size, path: z.string() })
    .refine(({ integrity, path }) => path === bundledPath(integrity), 'the path of a blob does not match its hash');
  const file = z.strictObject({ integrity: integritySchema, size, path: filePath });
  const schema = z
    .strictObject({
      schema: z.literal(1),
      tool: z.literal('serena'),
      toolVersion: z.string(),
      created: z.string().optional(),
      platforms: z.array(z.string()),
      servers: z.array(z.strictObject({ id: z.string(), version: z.string(), key: z.string(), target: z.string() })),
      blobs: z.array(blob),
      files: z.array(file),
    })
    .refine(({ blobs, files }) => hasUniquePaths([...blobs, ...files]), 'a path occurs twice');
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? (error.issues[0]?.message ?? '') : messageOf(error);
    throw badBundle(bundle, `its \`${manifestName}\` is invalid: ${reason}`, error);
  }
}

// Every part starts with a letter, digit or `@`: no `..`, no absolute path.
const filePath = z.string().regex(/^(bin|LICENSES)(\/[a-z0-9@][a-z0-9@+._~-]*)+$/i);

function hasUniquePaths(files: readonly BundledFile[]): boolean {
  return new Set(files.map(({ path }) => path.toLowerCase())).size === files.length;
}

/** Returns the SHA-256 of `bytes` in hexadecimal digits. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the error for a file or directory that is damaged, was tampered with, or is not a bundle. */
export function badBundle(bundle: string, reason: string, cause?: unknown): ExpectedError {
  return new ExpectedError('install.bad-bundle', `cannot unpack \`${bundle}\`: ${reason}`, {
    hints: [
      'copy the bundle again and compare the checksum with that of the original: it was damaged or changed on the way',
      'make a new bundle with `serena servers pack` if another program repacked it',
    ],
    cause,
  });
}
