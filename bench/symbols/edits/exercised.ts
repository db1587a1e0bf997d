import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BenchPackage } from '../model.ts';
import { packageKey, symbenchCache } from '../packages.ts';

/** Returns the directory of a package, or of a copy of it (both absolute) with the program that exercises it. */
export function withExercise(pack: BenchPackage, directory: string): string {
  const { program, include } = pack.exercise ?? {};
  if (program === undefined) return directory;
  const copy = join(symbenchCache, 'exercised', packageKey(pack));
  rmSync(copy, { recursive: true, force: true });
  cpSync(directory, copy, { recursive: true });
  mkdirSync(dirname(join(copy, program.path)), { recursive: true });
  cpSync(program.source, join(copy, program.path));
  include?.(copy);
  return copy;
}
