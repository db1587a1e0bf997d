import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { planOf } from '../../src/install/source/plan.ts';
import { installationDirectory, serverDirectories } from '../../src/install/store/layout.ts';
import { writeReceipt } from '../../src/install/store/receipt.ts';
import { targetName } from '../../src/install/target.ts';
import { catalog } from '../../src/languages/servers.ts';
import { pinnedSource } from '../../src/servers/runtime/resolve.ts';

/** Returns the server with this id. @throws {Error} if there is none. */
export function serverNamed(id: string) {
  const spec = catalog.find(id);
  if (spec === undefined) throw new Error(`There is no server ${id}`);
  return spec;
}

/**
 * Creates an installation of a pinned server below `home` that looks complete but consists of empty files (`files` and
 * the program), and returns its directory. For tests that look for the server but do not start it.
 */
export function fakeInstall(home: string, id: string, files: readonly string[] = []): string {
  const source = pinnedSource(serverNamed(id));
  if (source === undefined) throw new Error(`${id} is not pinned`);
  const { program, entry, key, directoryName, target } = planOf({ id, source });
  const directory = installationDirectory(serverDirectories(home).root, id, directoryName);
  for (const file of files) write(join(directory, file));
  if (!files.some((file) => file.startsWith(`${program}/`))) write(join(directory, program));
  const receipt = { id, version: entry.version, key, program, contents: [], target: targetName(target) };
  writeReceipt(directory, { ...receipt, installedAt: new Date().toISOString() });
  return directory;
}

/** Creates programs with these names that do nothing in `directory` (absolute). */
export function makePrograms(directory: string, ...names: string[]): void {
  for (const name of names) {
    write(join(directory, name), '#!/bin/sh\n');
    chmodSync(join(directory, name), 0o755);
  }
}

function write(path: string, text = ''): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
