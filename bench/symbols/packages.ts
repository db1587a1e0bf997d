import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../speed/projects.ts';
import type { BenchPackage } from './model.ts';

/** Absolute path of the directory for packages, oracles and answers, which survives between runs. */
export const symbenchCache = join(cacheDirectory, 'symbench');

/** Returns a name for files and directories. */
export function packageKey(pack: BenchPackage): string {
  return pack.name.replaceAll(/[^\w.]+/g, '-').toLowerCase();
}

/** Returns the absolute path of the package's sources, downloading them if necessary. */
export async function ensurePackage(pack: BenchPackage): Promise<string> {
  const directory = join(symbenchCache, 'packages', packageKey(pack));
  if (existsSync(directory)) return directory;
  process.stderr.write(`Downloading ${pack.name} …\n`);
  const staged = `${directory}.partial`;
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  await pack.fetch(staged);
  renameSync(staged, directory);
  return directory;
}
