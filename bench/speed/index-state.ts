import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { projectState } from '../../src/config/data-directory.ts';
import { IndexStore } from '../../src/word-index/file-index.ts';
import { fileKinds, numbersPerFile } from '../../src/word-index/segment.ts';
import { ask, benchHome, startOurs } from './ours.ts';

const pollMs = 100;
const deadlineMs = 15 * 60_000;

/** Waits until the product has indexed a project in the background, and returns the milliseconds. */
export async function indexWords(directory: string): Promise<number> {
  await using client = await startOurs(directory, 'configured');
  const startedAt = performance.now();
  await ask(client, { tool: 'search_for_pattern', args: { substring_pattern: 'no file has these words' } });
  const state = { count: indexedFiles(directory).count, atMs: performance.now() };
  // The thread stores segment by segment and reports nothing.
  for (; performance.now() - state.atMs < quietMs; await new Promise((resolve) => setTimeout(resolve, pollMs))) {
    if (performance.now() - startedAt > deadlineMs) throw new Error('the files were not indexed in time');
    const { count } = indexedFiles(directory);
    if (count !== state.count) Object.assign(state, { count, atMs: performance.now() });
  }
  return state.atMs - startedAt;
}

/** A segment of 4,096 files takes less. */
const quietMs = 10_000;

/** The files in the index of a project. */
interface IndexedFiles {
  readonly count: number;
  /** Their size in bytes, without binary files. */
  readonly textBytes: number;
}

export function indexedFiles(directory: string): IndexedFiles {
  const location = { directory: projectState(benchHome, directory).cache, encoding: 'utf-8' };
  if (!IndexStore.exists(location)) return { count: 0, textBytes: 0 };
  const store = IndexStore.open(location);
  try {
    const segments = store.ids().flatMap((id) => store.files(id) ?? []);
    const sizes = segments.flatMap(({ paths, states }) =>
      paths.map((_, at) =>
        states[at * numbersPerFile + 4] === fileKinds.binary ? 0 : (states[at * numbersPerFile + 2] ?? 0),
      ),
    );
    return { count: sizes.length, textBytes: sizes.reduce((sum, size) => sum + size, 0) };
  } finally {
    store.close();
  }
}

/** Returns the size of everything that the product stores about a project's files, in bytes. */
export function storedBytes(directory: string): number {
  const { cache } = projectState(benchHome, directory);
  if (!existsSync(cache)) return 0;
  return readdirSync(cache).reduce((sum, name) => sum + statSync(join(cache, name)).size, 0);
}

/** Removes the stored symbols of a project, but not the index of its words. */
export function forgetTrees(directory: string): void {
  const path = join(projectState(benchHome, directory).cache, 'symbols-v2.sqlite');
  if (!existsSync(path)) return;
  const database = new DatabaseSync(path);
  database.exec('DELETE FROM trees');
  database.close();
}
