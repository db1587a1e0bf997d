import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readTextIfExists } from '../base/files.ts';
import { receiptFile } from './layout.ts';

/** The list of what was installed, beside the receipt. Not in it, because that is read at every start. */
const listFile = '.files.json';

/** Writes down the content of every file of the finished installation in absolute `folder`, for {@link changedFiles}. */
export function writeFileList(folder: string): void {
  writeFileSync(join(folder, listFile), `${JSON.stringify(Object.fromEntries(describeAll(folder)), undefined, 0)}\n`);
}

/**
 * Returns the files of an installation, relative with `/`, that are not as they were installed, each with what is the matter;
 * `undefined` where nothing was written down.
 */
export function changedFiles(folder: string): ReadonlyMap<string, 'changed' | 'missing' | 'added'> | undefined {
  const text = readTextIfExists(join(folder, listFile));
  const listed = text === undefined ? undefined : parse(text);
  if (listed === undefined) return undefined;
  const found = describeAll(folder);
  const changes = new Map<string, 'changed' | 'missing' | 'added'>();
  for (const [path, description] of Object.entries(listed)) {
    const now = found.get(path);
    if (now !== description) changes.set(path, now === undefined ? 'missing' : 'changed');
  }
  for (const path of found.keys()) {
    // Python writes what it compiles beside the source.
    if (!Object.hasOwn(listed, path) && !/(^|\/)__pycache__\//.test(path)) changes.set(path, 'added');
  }
  return changes;
}

function parse(text: string): Record<string, string> | undefined {
  try {
    return z.record(z.string(), z.string()).safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Returns what every file is, such as `- <sha-256>`, `x …` for a program or `-> <target>` for a link, by its path. */
function describeAll(folder: string, below = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (path === receiptFile || path === listFile) continue;
    if (entry.isDirectory()) for (const [name, what] of describeAll(folder, path)) found.set(name, what);
    else found.set(path, describe(join(folder, path)));
  }
  return found;
}

function describe(path: string): string {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  if (!stat.isFile()) return 'neither file nor folder';
  // Windows knows no such bit.
  const isProgram = process.platform !== 'win32' && (stat.mode & 0o111) !== 0;
  return `${isProgram ? 'x' : '-'} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
}
