import { createHash } from 'node:crypto';

/** Beginning of the line that a build appends to the program. */
const sealPrefix = '\nserena-seal sha256:';
const sealBytes = sealPrefix.length + 64 + 1;

/**
 * Returns the seal that a build appends to `program`, so that the program can check later that it is intact. Operating
 * systems ignore bytes after the program's own. On macOS the signature has this role instead.
 */
export function sealOf(program: Uint8Array): string {
  return `${sealPrefix}${createHash('sha256').update(program).digest('hex')}\n`;
}

/** Compares a program with its seal; `absent` if it has none, or was truncated. */
export function checkSeal(program: Uint8Array): 'intact' | 'changed' | 'absent' {
  const end = Math.max(0, program.length - sealBytes);
  const found = Buffer.from(program.subarray(end)).toString('latin1');
  if (!found.startsWith(sealPrefix)) return 'absent';
  return found === sealOf(program.subarray(0, end)) ? 'intact' : 'changed';
}
