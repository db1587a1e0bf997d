import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = join(dirname(dirname(fileURLToPath(import.meta.url))), 'surface');

/**
 * Returns the committed text of `test/surface/<path>`: what clients rely on, changed only on purpose. With `UPDATE=1` the
 * file is written first, and `CHANGELOG.md` needs a line about the change.
 */
export function pinned(path: string, found: string): string {
  const file = join(directory, path);
  if (process.env.UPDATE === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, found);
  }
  return readFileSync(file, 'utf8');
}

/** Returns the names of the pins in a directory of `test/surface`, sorted. */
export function listPins(path: string): string[] {
  return readdirSync(join(directory, path)).sort();
}
