import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from './artifact.ts';
import type { Release } from './release.ts';

/**
 * Writes `release.json`, which describes each file, and `SHA256SUMS` in the format of `sha256sum`. Returns the content of
 * `SHA256SUMS`, which covers the artifacts, `release.json` and `others` of the published directory.
 */
export function writeIndex(
  { published, facts }: Release,
  artifacts: readonly Artifact[],
  others: readonly string[],
): string {
  const described = artifacts.map((artifact) => {
    const path = join(published, artifact.file);
    return { ...artifact, sizeBytes: statSync(path).size, sha256: sha256Of(path) };
  });
  writeFileSync(
    join(published, 'release.json'),
    `${JSON.stringify({ ...facts, artifacts: described }, undefined, 2)}\n`,
  );
  const sums = sumsOf(published, [...artifacts.map(({ file }) => file), 'release.json', ...others]);
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
