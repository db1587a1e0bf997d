import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchPackage } from '../model.ts';
import { packageKey, symbenchCache } from '../packages.ts';

/** Returns the absolute path of a copy that may be changed, beside the build artifacts of earlier runs. */
export function copyOfRust(pack: BenchPackage, directory: string): string {
  const copy = join(symbenchCache, 'rust-copies', packageKey(pack));
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  cpSync(directory, copy, { recursive: true });
  return copy;
}
