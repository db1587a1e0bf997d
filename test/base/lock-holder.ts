// Takes the lock at the path in its argument, reports that, and holds it until stdin ends or the process is killed.
import { once } from 'node:events';
import { withLock } from '../../src/base/lock.ts';

await withLock(process.argv[2] ?? '', { timeoutMs: 5_000 }, async () => {
  console.log('held');
  process.stdin.resume();
  await once(process.stdin, 'end');
});
