// Takes the lock that its argument names, says so, and keeps it until its input ends or it is killed.
import { once } from 'node:events';
import { withLock } from '../../src/base/lock.ts';

await withLock(process.argv[2] ?? '', { timeoutMs: 5_000 }, async () => {
  console.log('held');
  process.stdin.resume();
  await once(process.stdin, 'end');
});
