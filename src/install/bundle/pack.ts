import { copyFileSync, createWriteStream, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import { writeTextAtomically } from '../../base/files.ts';
import { log } from '../../base/log.ts';
import { integrityOf, integrityOfFile } from '../lock/integrity.ts';
import type { Artifact, Origin } from '../source/artifact.ts';
import { artifactsOf, type Plan } from '../source/plan.ts';
import { targetName } from '../target.ts';
import {
  type BundledFile,
  type BundleManifest,
  bundledPath,
  manifestName,
  renderManifest,
  sumsName,
} from './manifest.ts';
import { bundleTar, sumsOf, type TarContent } from './tar.ts';

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

/**
 * Returns the files of a bundle's `LICENSES/`: the license texts in npm packages and wheels, and a list of all packages
 * with their declared licenses. `artifacts` maps each artifact to its absolute path.
 */
async function licenseFiles(artifacts: ReadonlyMap<Artifact, string>): Promise<(BundledFile & TarContent)[]> {
  const files = new Map<string, Uint8Array>();
  const taken = new Set<string>();
  const lines: string[] = [];
  for (const [{ title, origin }, path] of artifacts) {
    const found = await readLicenses(origin.kind, path);
    lines.push(`${title}\t${found.license ?? 'see its files'}\n`);
    const directory = plain(title);
    for (const [name, text] of Object.entries(found.texts)) {
      const path = `LICENSES/${directory}/${plain(name)}`;
      // Some file systems are case-insensitive: `LICENSE` and `license` are one file.
      if (!taken.has(path.toLowerCase())) files.set(path, text);
      taken.add(path.toLowerCase());
    }
  }
  files.set('LICENSES/packages.tsv', Buffer.from(lines.sort().join('')));
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, source]) => ({ path, source, size: source.length, integrity: integrityOf(source, 'sha256') }));
}

/** Replaces the characters that a path component in a bundle cannot have. */
function plain(name: string): string {
  return name.replace(/^[^a-z0-9@]+/i, '').replace(/[^a-z0-9@+._~-]/gi, '+');
}

/** The license information in a package. */
interface LicenseInfo {
  /** The declared license; `undefined` if there is none or it cannot be read. */
  readonly license: string | undefined;
  /** License texts by file name. */
  readonly texts: Readonly<Record<string, Uint8Array>>;
}

// Names of license texts in packages.
const textName = /^(licen[cs]e|copying|notice|third[-_. ]?party)\w*([.-][\w.-]*)?$/i;
// Larger files are not license texts.
const maxTextBytes = 2e6;

/**
 * Reads the license information of the package at `path` (absolute). It is empty for kinds without a standard for it.
 */
export async function readLicenses(kind: Origin['kind'], path: string): Promise<LicenseInfo> {
  try {
    if (kind === 'npm') return await readNpmPackage(path);
    if (kind === 'pypi') return await readWheel(path);
  } catch (error) {
    // The bytes are verified. If they cannot be unpacked, the installation reports it.
    log('install').info(`cannot read the license in \`${path}\`: ${messageOf(error)}`);
  }
  return { license: undefined, texts: {} };
}

async function readNpmPackage(path: string): Promise<LicenseInfo> {
  const archive = await promisify(gunzip)(await readFile(path));
  // Names of files directly in the top directory, of any name.
  const nameOf = (full: string) => /^[^/]+\/([^/]+)$/.exec(full)?.[1] ?? '';
  const entries = await unpackTar(archive, {
    filter: ({ name, type, size }) =>
      type === 'file' && size < maxTextBytes && (nameOf(name) === 'package.json' || textName.test(nameOf(name))),
  });
  const files = new Map(entries.map(({ header, data }) => [nameOf(header.name), data ?? new Uint8Array()]));
  const manifest = files.get('package.json');
  files.delete('package.json');
  return { license: manifest && licenseOfPackage(textOf(manifest)), texts: Object.fromEntries(files) };
}

function licenseOfPackage(packageJson: string): string | undefined {
  const schema = z.object({ license: z.union([z.string(), z.object({ type: z.string() })]).optional() });
  try {
    const { license } = schema.parse(JSON.parse(packageJson));
    return typeof license === 'string' ? license : license?.type;
  } catch {
    return undefined;
  }
}

async function readWheel(path: string): Promise<LicenseInfo> {
  const { default: yauzl } = await import('yauzl');
  const zip = await yauzl.openPromise(path, { autoClose: false });
  const texts: Record<string, Uint8Array> = {};
  let license: string | undefined;
  try {
    for await (const entry of zip.eachEntry()) {
      const [, inside = ''] = /^[^/]+\.dist-info\/(.+[^/])$/.exec(entry.fileName) ?? [];
      const name = inside.split('/').at(-1) ?? '';
      const isText = inside.startsWith('licenses/') || textName.test(inside);
      if ((inside !== 'METADATA' && !isText) || entry.uncompressedSize > maxTextBytes) continue;
      const content = await buffer(await zip.openReadStreamPromise(entry));
      if (inside === 'METADATA') license = licenseOfMetadata(textOf(content));
      else texts[name] = content;
    }
  } finally {
    zip.close();
  }
  return { license, texts };
}

function licenseOfMetadata(metadata: string): string | undefined {
  const [headers = ''] = metadata.split(/\r?\n\r?\n/);
  return (/^License-Expression: (.+)$/im.exec(headers) ?? /^License: (.+)$/im.exec(headers))?.[1]?.trim();
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
