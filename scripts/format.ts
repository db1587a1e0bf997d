// usage: bun scripts/format.ts
// Formats and fixes all sources, and regenerates the generated files.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageProgram, root } from './support/paths.ts';
import { run } from './support/run.ts';

const writers = [
  ['scripts/embed-resources.ts'],
  ['scripts/generate-docs.ts'],
  ['scripts/write-man-page.ts'],
  ['scripts/complete-lock.ts'],
];

async function main(): Promise<void> {
  let hasSucceeded = true;
  for (const writer of writers.filter(([path = '']) => existsSync(join(root, path)))) {
    hasSucceeded = (await run(process.execPath, writer, { isShown: true })).exitCode === 0 && hasSucceeded;
  }
  const formatted = await run(packageProgram('biome'), ['check', '--write', '.'], { isShown: true });
  process.exitCode = hasSucceeded && formatted.exitCode === 0 ? 0 : 1;
}

if (import.meta.main) await main();
