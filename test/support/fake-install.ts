import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { planOf } from '../../src/install/source/plan.ts';
import { installationDirectory, serverDirectories } from '../../src/install/store/layout.ts';
import { writeReceipt } from '../../src/install/store/receipt.ts';
import { targetName } from '../../src/install/target.ts';
import { findServer } from '../../src/servers/catalog/servers.ts';
import { pinnedSource } from '../../src/servers/runtime/resolve.ts';

/** Returns the server with this id. @throws {Error} where there is none. */
export function serverNamed(id: string) {
  const spec = findServer(id);
  if (spec === undefined) throw new Error(`There is no server ${id}`);
  return spec;
}

/**
 * Makes the installation of a pinned server below `home`, complete for all that looks, of empty files with these names besides
 * the program, and returns its directory. For what is started with them, not for starting it.
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

/** Makes programs of these names in the directory at an absolute path. They do nothing. */
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
