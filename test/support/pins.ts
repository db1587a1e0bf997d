import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = join(dirname(dirname(fileURLToPath(import.meta.url))), 'surface');

/**
 * Returns the committed text of `test/surface/<path>`: it is part of the interface that
 * clients rely on. With `UPDATE=1` the file is first replaced by `found`; such a change needs a line in `CHANGELOG.md`.
 */
export function pinned(path: string, found: string): string {
  const file = join(directory, path);
  if (process.env.UPDATE === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, found);
  }
  return readFileSync(file, 'utf8');
}

/** Returns the sorted names of the committed texts in a directory of `test/surface`. */
export function listPins(path: string): string[] {
  return readdirSync(join(directory, path)).sort();
}
