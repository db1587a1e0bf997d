import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artefact } from './artefact.ts';
import type { Place } from './place.ts';

/**
 * Writes `release.json`, which says what each file is, and `SHA256SUMS`, as `sha256sum` reads it. Returns the lines of the
 * latter: of the artefacts, of `release.json` and of `others`, which lie in the published directory as well.
 */
export function writeIndex(
  { published, facts }: Place,
  artefacts: readonly Artefact[],
  others: readonly string[],
): string {
  const described = artefacts.map((artefact) => {
    const path = join(published, artefact.file);
    return { ...artefact, sizeBytes: statSync(path).size, sha256: sha256Of(path) };
  });
  writeFileSync(
    join(published, 'release.json'),
    `${JSON.stringify({ ...facts, artefacts: described }, undefined, 2)}\n`,
  );
  const sums = sumsOf(published, [...artefacts.map(({ file }) => file), 'release.json', ...others]);
  writeFileSync(join(published, 'SHA256SUMS'), sums);
  return sums;
}

/** Returns a line `<sha256>  <file>` for each file of `directory`, sorted by name. */
export function sumsOf(directory: string, files: readonly string[]): string {
  return [...files]
    .sort()
    .map((file) => `${sha256Of(join(directory, file))}  ${file}\n`)
    .join('');
}

function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
