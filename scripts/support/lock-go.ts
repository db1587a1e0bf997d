import { mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildGoArtifact } from '../../src/install/fetch/go.ts';
import { integrityOfFile } from '../../src/install/lock/integrity.ts';
import type { GoLock, LockedFile } from '../../src/install/lock/server-lock.ts';
import { type TargetName, targetNames } from '../../src/install/target.ts';

/**
 * Builds the program of `lock` for every platform with the toolchain (such as `go1.26.8`) and returns the lock with the
 * hashes and sizes. Programs without C code are the same for both C libraries of Linux.
 */
export async function withBinaries(lock: GoLock, toolchain: string, directory: string): Promise<GoLock> {
  const binaries: Partial<Record<TargetName, LockedFile>> = {};
  const env = { ...process.env };
  const context = { home: tmpdir(), env, signal: new AbortController().signal, report: () => undefined };
  for (const target of targetNames) {
    if (target.endsWith('-musl')) continue;
    const title = `${lock.module} for ${target}`;
    const origin = { kind: 'go', module: lock.module, version: lock.version, toolchain, target } as const;
    const scratch = join(directory, target);
    mkdirSync(scratch, { recursive: true });
    const path = await buildGoArtifact({ title }, origin, scratch, context);
    const built = { integrity: await integrityOfFile(path, 'sha512'), sizeBytes: statSync(path).size };
    rmSync(scratch, { recursive: true });
    console.log(`${title}: ${built.sizeBytes} bytes`);
    for (const name of targetNames) if (name === target || name === `${target}-musl`) binaries[name] = built;
  }
  return { ...lock, toolchain, binaries };
}
