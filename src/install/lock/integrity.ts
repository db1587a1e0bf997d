import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

/**
 * Stands in place of a hash if the user's settings disable verification. Such content is neither kept as a blob nor
 * taken from a mirror.
 */
export const unverified = 'unverified';

/** An integrity string as in the lock: `sha256-` or `sha512-` and the digest in base64. */
export const integritySchema = z.string().regex(/^(sha512-[A-Za-z0-9+/]{86}==|sha256-[A-Za-z0-9+/]{43}=)$/);

/** Returns a hash with the algorithm of an integrity, or `undefined` for `unverified`. */
export function hashFor(integrity: string): Hash | undefined {
  return integrity === unverified ? undefined : createHash(algorithmOf(integrity));
}

/** Returns the digest of `hash` as an integrity with the algorithm of `like`. */
export function integrityFrom(hash: Hash, like: string): string {
  return `${algorithmOf(like)}-${hash.digest('base64')}`;
}

/** Returns the digest of an integrity in hexadecimal digits. */
export function hexDigest(integrity: string): string {
  return Buffer.from(integrity.slice(integrity.indexOf('-') + 1), 'base64').toString('hex');
}

/** Returns `sha256` or `sha512`. */
export function algorithmOf(integrity: string): string {
  return integrity.split('-')[0] ?? '';
}

/** Returns the integrity of a file, with the algorithm of `like`. @throws system errors, such as a missing file. */
export async function integrityOfFile(path: string, like: string): Promise<string> {
  const hash = createHash(algorithmOf(like));
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash);
  return integrityFrom(hash, like);
}

/**
 * Parses a hash that a user wrote (`sha512-…` or `sha256-…` in base64, or the digest in hexadecimal digits) into an
 * integrity. Returns `undefined` if it is not a hash.
 */
export function parseIntegrity(text: string): string | undefined {
  const [, algorithm, hex = ''] = /^(?:(sha256|sha512)[-:])?([0-9a-f]{64}|[0-9a-f]{128})$/i.exec(text.trim()) ?? [];
  const named = hex.length === 64 ? 'sha256' : 'sha512';
  if (hex !== '' && (algorithm ?? named).toLowerCase() === named) {
    return `${named}-${Buffer.from(hex, 'hex').toString('base64')}`;
  }
  return integritySchema.safeParse(text.trim()).data;
}

/** Returns the integrity of `bytes`. */
export function integrityOf(bytes: Uint8Array, algorithm: 'sha256' | 'sha512'): string {
  return integrityFrom(createHash(algorithm).update(bytes), algorithm);
}
