import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Absolute path of the program that `npm run build` creates. */
export const binaryPath = join(root, 'dist', process.platform === 'win32' ? 'serena.exe' : 'serena');

/** Absolute path of the program of an npm package's `bin` entry. */
export function packageProgram(name: string): string {
  return join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
}
