import { copyFileSync, createWriteStream, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { writeTextAtomically } from '../../base/files.ts';
import { integrityOfFile } from '../lock/integrity.ts';
import type { Artifact } from '../source/artifact.ts';
import { artifactsOf, type Plan } from '../source/plan.ts';
import { targetName } from '../target.ts';
import { licenseFiles } from './licenses.ts';
import {
  type BundledFile,
  type BundleManifest,
  bundledPath,
  manifestName,
  renderManifest,
  sumsName,
} from './manifest.ts';
import { bundleTar, sumsOf, type TarContent } from './tar.ts';

/** A request to pack a bundle. */
export interface PackRequest {
  /** One plan for each server and platform. All must have placements. */
  readonly plans: readonly Plan[];
  readonly toolVersion: string;
  /** Seconds since 1970; `undefined` leaves the time out of the bundle. */
  readonly createdAt?: number | undefined;
  /** Absolute paths of programs by their name in the bundle's `bin/`. */
  readonly programs: Readonly<Record<string, string>>;
  /** Returns the absolute path of an artifact's verified bytes, fetching them if necessary. */
  obtain(artifact: Artifact): Promise<string>;
}

/** The complete contents of a bundle. */
interface BundleContents {
  readonly manifest: BundleManifest;
  /** All entries except the sums, in order. */
  readonly entries: readonly TarContent[];
}

/** Collects the contents of a bundle, fetching missing artifacts. Equal requests give equal contents. */
export async function collectBundle(request: PackRequest): Promise<BundleContents> {
  const artifacts = artifactsOf(request.plans).map((artifact) => [bundledPath(artifact.integrity), artifact] as const);
  const blobs: (BundledFile & TarContent)[] = [];
  const paths = new Map<Artifact, string>();
  for (const [path, artifact] of artifacts.sort(byFirst)) {
    const source = await request.obtain(artifact);
    paths.set(artifact, source);
    blobs.push({ integrity: artifact.integrity, size: statSync(source).size, path, source });
  }
  const programs = Object.entries(request.programs).sort(byFirst);
  const files = await Promise.all(programs.map(([name, source]) => programEntry(name, source)));
  files.push(...(await licenseFiles(paths)));
  const listed = ({ integrity, size, path }: BundledFile) => ({ integrity, size, path });
  const servers = request.plans.map((plan) => {
    return { id: plan.id, version: plan.entry.version, key: plan.key, target: targetName(plan.target) };
  });
  const { toolVersion, createdAt } = request;
  const manifest: BundleManifest = {
    ...{ schema: 1, tool: 'serena', toolVersion },
    ...(createdAt === undefined ? {} : { created: new Date(createdAt * 1000).toISOString() }),
    platforms: [...new Set(servers.map(({ target }) => target))].sort(),
    servers: servers.sort((a, b) => (`${a.id} ${a.target}` < `${b.id} ${b.target}` ? -1 : 1)),
    blobs: blobs.map(listed),
    files: files.map(listed),
  };
  const text = Buffer.from(renderManifest(manifest));
  return { manifest, entries: [{ path: manifestName, size: text.length, source: text }, ...blobs, ...files] };
}

/**
 * Writes a bundle as one file at `path` (absolute), gzipped if its name ends in `gz`. Afterwards the file is complete
 * or absent.
 */
export async function writeBundleFile(contents: BundleContents, path: string, signal: AbortSignal): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const staged = `${path}.${process.pid}.part`;
  try {
    const tar = Readable.from(bundleTar(contents.entries, renderManifest(contents.manifest)));
    const target = createWriteStream(staged, { flags: 'wx', flush: true });
    if (/\.(t?gz)$/.test(path)) await pipeline(tar, createGzip(), target, { signal });
    else await pipeline(tar, target, { signal });
    renameSync(staged, path);
  } finally {
    rmSync(staged, { force: true });
  }
}

/**
 * Writes a bundle as a directory and keeps the files of an earlier one there. The directory works as a store, and its
 * `blobs` as a mirror.
 */
export function writeBundleDirectory(
  { manifest, entries }: BundleContents,
  directory: string,
  signal: AbortSignal,
): void {
  for (const { path, source, size } of entries) {
    signal.throwIfAborted();
    const target = join(directory, path);
    if (path === manifestName) continue;
    // A blob's content never changes under its name. Damage is detected when the bundle is unpacked.
    if (path.startsWith('blobs/') && statSync(target, { throwIfNoEntry: false })?.size === size) continue;
    mkdirSync(dirname(target), { recursive: true });
    const staged = `${target}.${process.pid}.part`;
    if (typeof source === 'string') copyFileSync(source, staged);
    else writeFileSync(staged, source);
    renameSync(staged, target);
  }
  // Written last, so that every file in the manifest exists.
  const text = renderManifest(manifest);
  writeTextAtomically(join(directory, sumsName), sumsOf(text));
  writeTextAtomically(join(directory, manifestName), text);
}

async function programEntry(name: string, source: string): Promise<BundledFile & TarContent> {
  const integrity = await integrityOfFile(source, 'sha256-');
  return { integrity, size: statSync(source).size, path: `bin/${name}`, source };
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
