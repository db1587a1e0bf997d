import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectState } from '../../src/config/data-directory.ts';
import { indexedFiles, indexWords, storedBytes } from './index-state.ts';
import { ask, benchHome, startOurs } from './ours.ts';
import { listSources } from './projects.ts';
import { alternate, measure, type Row } from './table.ts';

const changeRuns = 15;

/** A directory whose index is measured. */
export interface IndexedTree {
  readonly name: string;
  readonly extension: string;
  /** A name that files define. */
  readonly symbol: string;
}

/** Returns the rows about the index of a project: how long it takes to build, and to notice a changed file. */
export async function indexRows(tree: IndexedTree, directoryOf: () => string): Promise<Row[]> {
  return [...(await buildRow(tree, directoryOf)), ...(await changedFileRow(tree, directoryOf))];
}

function buildRow({ name, extension }: IndexedTree, directoryOf: () => string): Promise<Row[]> {
  return measure({
    what: `building the index in the background, ${name}`,
    anchorName: 'reading the files once',
    run: async () => {
      const directory = directoryOf();
      const { cache } = projectState(benchHome, directory);
      let note = '';
      const read = () =>
        listSources(directory, extension).reduce((sum, path) => sum + bytesOf(join(directory, path)), 0);
      const ours = async () => {
        rmSync(cache, { recursive: true, force: true });
        const ms = await indexWords(directory);
        const { count, textBytes } = indexedFiles(directory);
        note = `${count} files of all types, ${((100 * storedBytes(directory)) / textBytes).toFixed(1)} % of their text`;
        return ms;
      };
      const anchor = async () => {
        const startedAt = performance.now();
        read();
        return performance.now() - startedAt;
      };
      const samples = await alternate(1, ours, anchor);
      return { ...samples, note };
    },
  });
}

function bytesOf(path: string): number {
  return readFileSync(path).length;
}

/** Returns the row about the call after a change, which must find it, against the same call without a change. */
function changedFileRow({ name, extension, symbol }: IndexedTree, directoryOf: () => string): Promise<Row[]> {
  return measure({
    what: `find_symbol after one file has changed, ${name}`,
    anchorName: 'the same without a change',
    run: async () => {
      const directory = directoryOf();
      const path = listSources(directory, extension).find((one) =>
        readFileSync(join(directory, one), 'utf8').includes(symbol),
      );
      if (path === undefined) throw new Error(`no file contains \`${symbol}\``);
      const file = join(directory, path);
      const original = readFileSync(file, 'utf8');
      await indexWords(directory);
      await using client = await startOurs(directory, 'configured');
      const find = (pattern: string) =>
        ask(client, { tool: 'find_symbol', args: { name_path_pattern: pattern }, mayBeIncomplete: true });
      let count = 0;
      try {
        await find(symbol);
        const ours = async () => {
          const added = `AddedByBench${count++}`;
          writeFileSync(file, `${original}\nclass ${added}:\n    pass\n`);
          const { ms, text } = await find(added);
          if (!text.includes(added)) throw new Error('the call after the change did not find it');
          return ms;
        };
        return await alternate(changeRuns, ours, async () => (await find(`AddedByBench${count - 1}`)).ms);
      } finally {
        writeFileSync(file, original);
      }
    },
  });
}
