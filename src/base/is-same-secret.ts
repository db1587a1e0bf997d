import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares secrets in constant time, so that none can be guessed character by character. */
export function isSameSecret(sent: string, expected: string): boolean {
  const [a, b] = [sent, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
