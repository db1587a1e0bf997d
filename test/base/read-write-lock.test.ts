import { describe, expect, test } from 'bun:test';
import { ReadWriteLock } from '../../src/base/read-write-lock.ts';
import { rejection } from '../support/rejection.ts';

const never = new AbortController().signal;

/** Work that records its start and end in `events`, and ends when `end` or `fail` is called. */
function job(name: string, events: string[]) {
  const ended = Promise.withResolvers<string>();
  const work = async () => {
    events.push(`${name} begins`);
    try {
      return await ended.promise;
    } finally {
      events.push(`${name} ends`);
    }
  };
  return { work, end: () => ended.resolve(name), fail: () => ended.reject(new Error(name)) };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('ReadWriteLock', () => {
  test('runs shared work at the same time', async () => {
    const lock = new ReadWriteLock();
    const events: string[] = [];
    const [a, b] = [job('a', events), job('b', events)];
    const done = [lock.shared(never, a.work), lock.shared(never, b.work)];
    await settle();
    expect(events).toEqual(['a begins', 'b begins']);
    a.end();
    b.end();
    expect(await Promise.all(done)).toEqual(['a', 'b']);
  });

  test('makes exclusive work wait for all work before it, and all work after it wait for it', async () => {
    const lock = new ReadWriteLock();
    const events: string[] = [];
    const [a, b, c] = [job('a', events), job('b', events), job('c', events)];
    const done = [lock.shared(never, a.work), lock.exclusive(never, b.work), lock.shared(never, c.work)];
    for (const { end } of [c, b, a]) {
      await settle();
      end();
    }
    await Promise.all(done);
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('runs exclusive work in order, one at a time, also after a failure', async () => {
    const lock = new ReadWriteLock();
    const events: string[] = [];
    const [a, b, c] = [job('a', events), job('b', events), job('c', events)];
    const [first, second, third] = [a, b, c].map(({ work }) => lock.exclusive(never, work));
    await settle();
    expect(events).toEqual(['a begins']);
    a.end();
    expect(await first).toBe('a');
    await settle();
    expect(events).toEqual(['a begins', 'a ends', 'b begins']);
    b.fail();
    expect(await rejection(Promise.resolve(second))).toBe('b');
    c.end();
    expect(await third).toBe('c');
  });

  test('does not wait for the work of another lock', async () => {
    const lock = new ReadWriteLock();
    const [a, b] = [job('a', []), job('b', [])];
    const first = lock.exclusive(never, a.work);
    b.end();
    expect(await new ReadWriteLock().exclusive(never, b.work)).toBe('b');
    a.end();
    await first;
  });

  test.each(['shared', 'exclusive'] as const)(
    'skips %s work whose signal aborts, and keeps the order',
    async (kind) => {
      const lock = new ReadWriteLock();
      const events: string[] = [];
      const [a, b, c] = [job('a', events), job('b', events), job('c', events)];
      const first = lock.exclusive(never, a.work);
      const abort = new AbortController();
      const second = rejection(lock[kind](abort.signal, b.work));
      const third = lock.exclusive(never, c.work);
      abort.abort(new Error('aborted'));
      expect(await second).toBe('aborted');
      await settle();
      expect(events).toEqual(['a begins']);
      a.end();
      await first;
      c.end();
      expect(await third).toBe('c');
      expect(events).toEqual(['a begins', 'a ends', 'c begins', 'c ends']);
    },
  );

  test('makes shared work wait for nothing that was skipped', async () => {
    const lock = new ReadWriteLock();
    const [a, b] = [job('a', []), job('b', [])];
    const first = lock.shared(never, a.work);
    const abort = new AbortController();
    const skipped = rejection(lock.exclusive(abort.signal, b.work));
    const third = lock.shared(never, async () => 'c');
    abort.abort(new Error('aborted'));
    expect(await skipped).toBe('aborted');
    expect(await third).toBe('c');
    a.end();
    await first;
  });

  test('runs work inside work that holds it at once, and as other work when that has ended', async () => {
    const lock = new ReadWriteLock();
    const events: string[] = [];
    const late = Promise.withResolvers<void>();
    let floating: Promise<string> | undefined;
    const [a, b] = [job('a', events), job('b', events)];
    a.end();
    await lock.exclusive(never, async () => {
      floating = late.promise.then(() => lock.shared(never, b.work));
      expect(await lock.shared(never, a.work)).toBe('a');
    });
    const c = job('c', events);
    const exclusive = lock.exclusive(never, c.work);
    late.resolve();
    b.end();
    await settle();
    expect(events).toEqual(['a begins', 'a ends', 'c begins']);
    c.end();
    await exclusive;
    expect(await floating).toBe('b');
  });

  test('is idle when all work has ended', async () => {
    const lock = new ReadWriteLock();
    const [a, b] = [job('a', []), job('b', [])];
    const done = [lock.shared(never, a.work), lock.exclusive(never, b.work)];
    let isIdle = false;
    const idle = lock.idle().then(() => {
      isIdle = true;
    });
    a.end();
    await settle();
    expect(isIdle).toBe(false);
    b.end();
    await idle;
    await Promise.all(done);
  });
});
