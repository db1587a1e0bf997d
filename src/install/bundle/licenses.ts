import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { integrityOf } from '../lock/integrity.ts';
import type { Artifact, Origin } from '../source/artifact.ts';
import type { BundledFile } from './manifest.ts';
import type { TarContent } from './tar.ts';

/**
 * Returns the files of a bundle's `LICENSES/`: the license texts in npm packages and wheels, and a list of all packages
 * with their declared licenses. `artifacts` maps each artifact to its absolute path.
 */
export async function licenseFiles(artifacts: ReadonlyMap<Artifact, string>): Promise<(BundledFile & TarContent)[]> {
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
