import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../build.ts';
import { fetchRuntime } from './fetch-runtime.ts';
import { type Place, programFolder } from './place.ts';
import { programName } from './targets.ts';

/** Compiles the program for every target of `place` into its folder. */
export async function compilePrograms(place: Place): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'serena-runtimes-'));
  try {
    for (const target of place.targets) {
      const runtime = join(temporary, target.id);
      await fetchRuntime(target, runtime);
      const folder = programFolder(place, target);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      await build({
        outfile: join(folder, programName(target)),
        cross: { bun: target.bun, runtime },
        isSigned: target.os === 'darwin',
      });
      rmSync(runtime);
      console.log(`Compiled ${target.id}`);
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
