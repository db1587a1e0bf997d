import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildGoArtifact } from '../../src/install/fetch/go-artifact.ts';
import type { GoLock, LockedFile } from '../../src/install/lock/lock-schema.ts';
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
    const hash = createHash('sha512');
    let sizeBytes = 0;
    const file = {
      write: (chunk: Uint8Array) => {
        hash.update(chunk);
        sizeBytes += chunk.length;
      },
    };
    const title = `${lock.module} for ${target}`;
    const origin = { kind: 'go', module: lock.module, version: lock.version, toolchain, target } as const;
    await buildGoArtifact({ title }, origin, { file, scratch: join(directory, target) }, context);
    const built = { integrity: `sha512-${hash.digest('base64')}`, sizeBytes };
    console.log(`${title}: ${sizeBytes} bytes`);
    for (const name of targetNames) if (name === target || name === `${target}-musl`) binaries[name] = built;
  }
  return { ...lock, toolchain, binaries };
}
