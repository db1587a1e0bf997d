import { createHash } from 'node:crypto';

/** Begins the line that a build appends to the program. */
const mark = '\nserena-seal sha256:';
const sealBytes = mark.length + 64 + 1;

/**
 * Returns what a build appends to a program of these bytes so that it can tell later whether it is whole: systems load
 * programs by the tables at their beginning and do not mind what follows. On macOS a signature takes this part.
 */
export function sealOf(program: Uint8Array): string {
  return `${mark}${createHash('sha256').update(program).digest('hex')}\n`;
}

/** Returns whether a program is as its build left it; `absent` where nothing was appended, or it was cut off. */
export function checkSeal(program: Uint8Array): 'intact' | 'changed' | 'absent' {
  const end = Math.max(0, program.length - sealBytes);
  const found = Buffer.from(program.subarray(end)).toString('latin1');
  if (!found.startsWith(mark)) return 'absent';
  return found === sealOf(program.subarray(0, end)) ? 'intact' : 'changed';
}
