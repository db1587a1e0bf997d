import { expect } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { startClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

const source = 'class Shop:\n    def price(self):\n        return 1\n';
/** As many as a search keeps in memory. */
const texts = Object.fromEntries(
  Array.from({ length: 60 }, (_, n) => [`text-${n}.txt`, `cents ${n}\n`.repeat(30_000)]),
);

/** Returns the memory of a process that is not a copy of a file's content, in MB. */
function anonymousMegabytes(pid: number): number {
  const kilobytes = /^Pss_Anon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

function countThreads(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).length;
}

testUnless(process.platform === 'linux' ? undefined : 'only Linux shows the memory of a process by kind')(
  'a process without calls gives its memory back after half a minute, and then answers as before',
  async () => {
    await using project = makeWorkspace({ 'shop.py': source, ...texts });
    const args = ['--project', project.root, '--symbol-source', 'syntax'];
    await using client = await startClient({ args, symbolSource: 'configured' });
    const ask = async () => {
      const overview = await client.call('get_symbols_overview', { relative_path: 'shop.py', depth: 1 });
      const found = await client.call('find_symbol', { name_path_pattern: 'price', include_body: true });
      const search = await client.call('search_for_pattern', { substring_pattern: 'c.nts 29999$|return' });
      return [overview, found, search].map(({ blocks, isError }) => ({ blocks, isError }));
    };
    const answers = await ask();
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, false]);
    const before = { threads: countThreads(client.pid), megabytes: anonymousMegabytes(client.pid) };
    const isAtRest = () =>
      countThreads(client.pid) <= before.threads - 2 && anonymousMegabytes(client.pid) < before.megabytes - 30;
    await eventually('memory to be given back', isAtRest, 180_000);
    expect(await ask()).toEqual(answers);
  },
  240_000,
);
