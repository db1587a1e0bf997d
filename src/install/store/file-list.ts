import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readTextIfExists } from '../../base/files.ts';
import { Slices } from '../../base/yielding.ts';
import { receiptFile } from './layout.ts';

/**
 * The list of installed files, beside the receipt. It is not part of the receipt because that is read at every start.
 */
const listFile = '.files.json';

/** How a file differs from the installed one. */
export type FileChange = 'changed' | 'missing' | 'added';

/**
 * Records a hash of every file of the finished installation in `directory` (absolute), for {@link changedFiles}. Yields
 * to other calls in between.
 *
 * @throws the signal's reason; system errors.
 */
export async function writeFileList(directory: string, signal: AbortSignal): Promise<void> {
  const files = Object.fromEntries(await describeAll(directory, signal));
  writeFileSync(join(directory, listFile), `${JSON.stringify(files)}\n`);
}

/**
 * Returns the files of an installation that changed since it was made, by path relative to it, with `/`; `undefined` if
 * it has no list of files.
 *
 * @throws the signal's reason; system errors.
 */
export async function changedFiles(
  directory: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileChange> | undefined> {
  const text = readTextIfExists(join(directory, listFile));
  const listed = text === undefined ? undefined : parse(text);
  if (listed === undefined) return undefined;
  const found = await describeAll(directory, signal);
  const changes = new Map<string, FileChange>();
  for (const [path, description] of Object.entries(listed)) {
    const now = found.get(path);
    if (now !== description) changes.set(path, now === undefined ? 'missing' : 'changed');
  }
  for (const path of found.keys()) {
    // Python writes bytecode beside the sources.
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

/**
 * Returns a description of every file by path: `- <sha-256>`, `x <sha-256>` for a program, `-> <target>` for a link.
 */
async function describeAll(directory: string, signal: AbortSignal): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const slices = new Slices(signal);
  for (const path of pathsBelow(directory, '')) {
    if (slices.isOver) await slices.pause();
    found.set(path, describeFile(join(directory, path)));
  }
  return found;
}

function* pathsBelow(directory: string, below: string): Generator<string> {
  for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (path === receiptFile || path === listFile) continue;
    if (entry.isDirectory()) yield* pathsBelow(directory, path);
    else yield path;
  }
}

export function describeFile(path: string, platform = process.platform): string {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  if (!stat.isFile()) return 'neither file nor directory';
  // Windows has no execute bit.
  const isProgram = platform !== 'win32' && (stat.mode & 0o111) !== 0;
  return `${isProgram ? 'x' : '-'} ${createHash('sha256').update(readFileSync(path)).digest('base64')}`;
}
