import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { planOf } from '../../src/install/source/plan.ts';
import { installationFolder, serverFolders } from '../../src/install/store/layout.ts';
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
 * the program, and returns its folder. For what is started with them, not for starting it.
 */
export function fakeInstall(home: string, id: string, files: readonly string[] = []): string {
  const source = pinnedSource(serverNamed(id));
  if (source === undefined) throw new Error(`${id} is not pinned`);
  const { program, entry, key, folderName, target } = planOf({ id, source });
  const folder = installationFolder(serverFolders(home).root, id, folderName);
  for (const file of files) write(join(folder, file));
  if (!files.some((file) => file.startsWith(`${program}/`))) write(join(folder, program));
  const receipt = { id, version: entry.version, key, program, contents: [], target: targetName(target) };
  writeReceipt(folder, { ...receipt, installedAt: new Date().toISOString() });
  return folder;
}

/** Makes programs of these names in the folder at an absolute path. They do nothing. */
export function makePrograms(folder: string, ...names: string[]): void {
  for (const name of names) {
    write(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), 0o755);
  }
}

function write(path: string, text = ''): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
