import { z } from 'zod';
import type { ArchiveLock, LockedFile } from '../../src/install/lock/server-lock.ts';
import type { ArchiveSource } from '../../src/install/source/source.ts';
import table from './archive-hashes.json' with { type: 'json' };

const Table = z.strictObject({
  /** Origin of the hashes. */
  from: z.string(),
  servers: z.record(
    z.string(),
    z.strictObject({ version: z.string(), files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)) }),
  ),
});

/**
 * Returns the lock entry of a server that is published as release files, from the committed table of their SHA-256 hashes.
 * Needs no network: downloading could not verify more than the hash that the project publishes.
 *
 * @throws {Error} if the table does not have exactly the files that the source names, in that version.
 */
export function lockArchive(id: string, { version, assets }: ArchiveSource): ArchiveLock {
  const known = Table.parse(table).servers[id];
  if (known?.version !== version) throw new Error(`archive-hashes.json does not have ${id} ${version}`);
  const assetNames = Object.values(assets).flatMap(({ file, also }) => [file, ...Object.values(also ?? {})]);
  const names = [...new Set(assetNames)].sort();
  const unknown = names.find((name) => !Object.hasOwn(known.files, name));
  if (unknown !== undefined) throw new Error(`archive-hashes.json lacks ${unknown} of ${id}`);
  const unused = Object.keys(known.files).find((name) => !names.includes(name));
  if (unused !== undefined) throw new Error(`archive-hashes.json has ${unused}, which ${id} does not name`);
  const files = names.map((name): [string, LockedFile] => [name, { integrity: sri(known.files[name] ?? '') }]);
  return { source: 'archive', version, files: Object.fromEntries(files) };
}

function sri(hex: string): string {
  return `sha256-${Buffer.from(hex, 'hex').toString('base64')}`;
}
