import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackTar } from 'modern-tar';
import { z } from 'zod';
import { root } from '../support/paths.ts';
import { run } from '../support/run.ts';
import { readSource } from '../support/tracked-files.ts';
import type { ReleaseTarget } from './targets.ts';

const Lock = z.object({
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional(), integrity: z.string().optional() })),
});

/** Cache of the archives from npm; each use verifies them again. */
const defaultCache = join(root, 'node_modules/.cache/bun-runtimes');

/** A package of the lock file, with its SHA-512. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** Returns the package with the runtime for `target`. @throws {Error} if the lock file has no hash of it. */
export function runtimePackage({ bun }: ReleaseTarget): PinnedPackage {
  const name = `@oven/bun-${bun}`;
  const { version, integrity } = Lock.parse(JSON.parse(readSource('package-lock.json'))).packages[
    `node_modules/${name}`
  ] ?? { version: undefined, integrity: undefined };
  if (version !== undefined && integrity !== undefined) return { name, version, integrity };
  throw new Error(`package-lock.json has no hash of \`${name}\`: update it with a registry that offers this package`);
}

/**
 * Writes the runtime for `target` to `file`. npm downloads its package unless it is cached; its hash is compared with the
 * lock file first.
 *
 * @throws {Error} if the download fails or the hash does not match.
 */
export async function fetchRuntime(target: ReleaseTarget, file: string, cache: string = defaultCache): Promise<void> {
  const pinned = runtimePackage(target);
  const archive = join(cache, archiveName(pinned));
  if (!existsSync(archive)) await download(pinned, cache);
  const bytes = readFileSync(archive);
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (found !== pinned.integrity) {
    rmSync(archive);
    throw new Error(
      `\`${pinned.name}@${pinned.version}\` does not match its pinned hash\nexpected ${pinned.integrity}\nfound    ${found}`,
    );
  }
  const program = `package/bin/${target.os === 'win32' ? 'bun.exe' : 'bun'}`;
  const [entry] = await unpackTar(Bun.gunzipSync(bytes), { filter: ({ name }) => name === program });
  if (entry?.data === undefined) throw new Error(`\`${pinned.name}\` does not contain \`${program}\``);
  writeFileSync(file, entry.data, { mode: 0o755 });
}

/** Returns npm's file name for the archive of a package. */
export function archiveName({ name, version }: PinnedPackage): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

async function download({ name, version }: PinnedPackage, cache: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const flags = ['--prefer-offline', '--ignore-scripts', '--loglevel=error', `--pack-destination=${cache}`];
  const packed = await run(npm, ['pack', `${name}@${version}`, ...flags]);
  if (packed.exitCode !== 0) throw new Error(`cannot download \`${name}@${version}\`:\n${packed.stderr}`);
}
