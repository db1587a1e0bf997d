import { copyFileSync, linkSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../../src/base/errors.ts';
import { programCommand } from './client.ts';

/**
 * Puts the compiled program at `path` (absolute) and returns its path of origin. It is a hard link where that is possible: a
 * copy has 130 MB. Programs replace or remove their own name only.
 */
export function placeProgram(path: string): string {
  const [program] = programCommand([]);
  mkdirSync(dirname(path), { recursive: true });
  try {
    linkSync(program, path);
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    copyFileSync(program, path);
  }
  return program;
}
