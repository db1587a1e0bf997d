import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';
import { run } from './run.ts';

/** Returns the files that git tracks or would add, relative to the root with `/`, sorted; without deleted ones. */
export async function listTrackedFiles(...directories: readonly string[]): Promise<string[]> {
  const listed = await run('git', [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    ...directories,
  ]);
  if (listed.exitCode !== 0) throw new Error(`cannot list the files of the checkout: ${listed.stderr.trim()}`);
  const paths = listed.stdout.split('\0').filter((path) => path !== '' && isFile(path));
  return [...new Set(paths)].sort();
}

function isFile(path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Returns the TypeScript files that the house rules apply to: all except test fixtures. */
export async function listSources(...directories: readonly string[]): Promise<string[]> {
  const files = await listTrackedFiles(...directories);
  return files.filter((path) => /\.(ts|mjs)$/.test(path) && !path.startsWith('test/fixtures/'));
}

/** Returns the text of a file given relative to the root. */
export function readSource(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
