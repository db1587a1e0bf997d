import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../build.ts';
import { fetchRuntime } from './fetch-runtime.ts';
import { programDirectory, type Release } from './release.ts';
import { programName } from './targets.ts';

/** Compiles the program for every target of `release`. */
export async function compilePrograms(release: Release): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'serena-runtimes-'));
  try {
    for (const target of release.targets) {
      const runtime = join(temporary, target.id);
      await fetchRuntime(target, runtime);
      const directory = programDirectory(release, target);
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory, { recursive: true });
      await build({
        outfile: join(directory, programName(target)),
        cross: { id: target.id, bun: target.bun, runtime },
        isSigned: target.os === 'darwin',
        base: release.base,
      });
      rmSync(runtime);
      console.log(`Compiled ${target.id}`);
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
