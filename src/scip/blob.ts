import { createHash } from 'node:crypto';

/** Returns Git's id of a content, in the form of another id: repositories have ids of 40 or of 64 digits. */
export function blobOf(bytes: Uint8Array, { like = '' }: { like?: string } = {}): string {
  return createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}
