import { integrityOf } from '../lock/integrity.ts';
import type { Artifact } from '../source/artifact.ts';
import type { BundledFile } from './manifest.ts';
import { readLicenses } from './read-licenses.ts';
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
