import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../../src/base/errors.ts';
import { collectBundle, type PackRequest, writeBundleFile } from '../../../src/install/bundle/pack.ts';
import { unpackBundle } from '../../../src/install/bundle/unpack.ts';
import { pinnedBlobs, type ServerLock } from '../../../src/install/lock/server-lock.ts';
import { planOf } from '../../../src/install/source/plan.ts';
import { blobName } from '../../../src/install/store/blobs.ts';
import { serverDirectories } from '../../../src/install/store/layout.ts';
import { findTarget, type TargetName } from '../../../src/install/target.ts';
import { makeTempDir } from '../../support/temp.ts';
import { integrityOf, lockOf, packageTarball } from '../registry.ts';

const source = { from: 'npm', packages: { demo: '1.0.0' }, entry: 'node_modules/demo/main.js' } as const;

/** Small npm packages as files, with the lock that pins them as server `demo`. */
export interface Demo {
  readonly lock: ServerLock;
  readonly obtain: PackRequest['obtain'];
}

/** Creates the packages of a server `demo`: one for all platforms, and one each for Linux and Windows. */
export async function makeDemo(text = 'run()'): Promise<Demo> {
  const directory = makeTempDir('packages');
  const publish = async (name: string, content: Readonly<Record<string, string>>, os?: string) => {
    const tarball = await packageTarball(content);
    const integrity = integrityOf(tarball);
    mkdirSync(join(directory, 'sha512'), { recursive: true });
    writeFileSync(join(directory, blobName(integrity)), tarball);
    const sizes = { sizeBytes: tarball.length, unpackedBytes: 1000 };
    return { name, version: '1.0.0', integrity, dest: `node_modules/${name}`, ...sizes, ...(os ? { os: [os] } : {}) };
  };
  const lock = lockOf(
    await publish('demo', { 'main.js': text, 'package.json': '{"license": "MIT"}', LICENSE: 'Do what you like.\n' }),
    await publish('demo-linux', { 'x.js': 'linux' }, 'linux'),
    await publish('@demo/windows', { 'x.js': 'windows' }, 'win32'),
  );
  return { lock, obtain: async ({ integrity }) => join(directory, blobName(integrity)) };
}

/** Packs server `demo` for these platforms and returns the bundle's absolute path. */
export async function packDemo(demo: Demo, file = 'bundle.tar', ...targets: TargetName[]): Promise<string> {
  const path = join(makeTempDir('bundle'), file);
  await writeBundleFile(await collectDemo(demo, targets), path, new AbortController().signal);
  return path;
}

/** Returns the contents of a bundle of server `demo` for these platforms, by default Linux. */
export function collectDemo({ lock, obtain }: Demo, targets: readonly TargetName[] = []) {
  const names = targets.length === 0 ? (['linux-x64'] as const) : targets;
  const plans = names.map((name) => planOf({ id: 'demo', source, lock }, findTarget(name)));
  return collectBundle({ plans, toolVersion: '1.2.3', programs: {}, obtain });
}

/** Unpacks a bundle into a home directory (a new one by default) with the blobs that `lock` pins. */
export function unpackDemo(bundle: string, { lock }: Pick<Demo, 'lock'>, home = makeTempDir('home')) {
  return unpackBundle({ bundle, home, pinned: pinnedBlobs(lock), signal: new AbortController().signal });
}

/**
 * Returns the error of unpacking and the names left below the home directory. @throws {Error} if unpacking succeeds.
 */
export async function refusalOf(bundle: string, demo: Pick<Demo, 'lock'>) {
  const home = makeTempDir('home');
  const error = await unpackDemo(bundle, demo, home).then(
    () => new Error(`Unpacking ${bundle} went through`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ExpectedError)) throw error;
  return { code: error.code, message: error.message, left: filesIn(home) };
}

/** Returns the names of blobs and of staging directories below a home directory. */
export function filesIn(home: string): string[] {
  const { blobs, staging } = serverDirectories(home);
  return [...list(blobs), ...list(staging)];
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true }).map(String).sort();
  } catch {
    return [];
  }
}
