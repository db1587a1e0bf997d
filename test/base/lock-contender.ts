import { join } from 'node:path';
import { tryLock } from '../../src/base/lock.ts';

// Arguments: directory, number of locks, time of the first attempt in ms. Tries one lock every 10 ms and prints `1` for
// each that it got, otherwise `0`.
const [directory = '', count = '', startMs = ''] = process.argv.slice(2);
const results: number[] = [];
for (let index = 0; index < Number(count); index++) {
  const at = Number(startMs) + 10 * index;
  while (Date.now() < at);
  const release = await tryLock(join(directory, `${index}.lock`));
  results.push(release === undefined ? 0 : 1);
  while (Date.now() < at + 6);
  release?.();
}
process.stdout.write(results.join(''));
