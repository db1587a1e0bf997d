// usage: bun scripts/format.ts
// Formats and tidies every source, and writes the generated files again.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageProgram, root } from './support/paths.ts';
import { run } from './support/run.ts';

const writers = [
  ['scripts/embed-resources.ts'],
  ['scripts/generate-docs.ts'],
  ['scripts/complete-lock.ts'],
  ['scripts/check-words.ts', '--write'],
];

async function main(): Promise<void> {
  let isFine = true;
  for (const writer of writers.filter(([path = '']) => existsSync(join(root, path)))) {
    isFine = (await run(process.execPath, writer, { isShown: true })).exitCode === 0 && isFine;
  }
  const tidied = await run(packageProgram('biome'), ['check', '--write', '.'], { isShown: true });
  process.exitCode = isFine && tidied.exitCode === 0 ? 0 : 1;
}

if (import.meta.main) await main();
