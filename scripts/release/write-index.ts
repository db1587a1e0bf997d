import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from './artifact.ts';
import type { Release } from './release.ts';

/**
 * Writes `release.json`, which describes each file, and `SHA256SUMS` in the format of `sha256sum`. A copy of `release.json` in
 * the directory `latest` names the newest version to `serena self update`, for mirrors. Returns the content of `SHA256SUMS`, which covers the artifacts, `release.json` and `others` of the published directory.
 */
export function writeIndex(
  { directory, published, facts }: Release,
  artifacts: readonly Artifact[],
  others: readonly string[],
): string {
  const described = artifacts.map((artifact) => {
    const path = join(published, artifact.file);
    return { ...artifact, sizeBytes: statSync(path).size, sha256: sha256Of(path) };
  });
  const index = `${JSON.stringify({ ...facts, artifacts: described }, undefined, 2)}\n`;
  writeFileSync(join(published, 'release.json'), index);
  mkdirSync(join(directory, 'latest'), { recursive: true });
  writeFileSync(join(directory, 'latest/release.json'), index);
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
