import { describe, expect, test } from 'bun:test';
import { Mutex } from '../../src/base/mutex.ts';
import { rejection } from '../support/rejection.ts';

const never = new AbortController().signal;

/** Work that logs its start and ends when `end` or `fail` is called. */
function job(name: string, log: string[]) {
  const end = Promise.withResolvers<string>();
  const work = () => {
    log.push(name);
    return end.promise;
  };
  return { work, end: () => end.resolve(name), fail: () => end.reject(new Error(name)) };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('Mutex', () => {
  test('runs work in order, one at a time', async () => {
    const mutex = new Mutex();
    const log: string[] = [];
    const [a, b, c] = [job('a', log), job('b', log), job('c', log)];
    const [first, second, third] = [a, b, c].map(({ work }) => mutex.take(never, work));
    await settled();
    expect(log).toEqual(['a']);
    a.end();
    expect(await first).toBe('a');
    await settled();
    expect(log).toEqual(['a', 'b']);
    // A failure does not affect the work after it.
    b.fail();
    expect(await rejection(Promise.resolve(second))).toBe('b');
    c.end();
    expect(await third).toBe('c');
  });

  test('does not wait for the work of another mutex', async () => {
    const mutex = new Mutex();
    const log: string[] = [];
    const [a, b] = [job('a', log), job('b', log)];
    const first = mutex.take(never, a.work);
    b.end();
    expect(await new Mutex().take(never, b.work)).toBe('b');
    a.end();
    await first;
  });

  test('skips work whose signal aborts, and keeps the order of the other work', async () => {
    const mutex = new Mutex();
    const log: string[] = [];
    const [a, b, c] = [job('a', log), job('b', log), job('c', log)];
    const first = mutex.take(never, a.work);
    const abort = new AbortController();
    const second = rejection(mutex.take(abort.signal, b.work));
    const third = mutex.take(never, c.work);
    abort.abort(new Error('aborted'));
    expect(await second).toBe('aborted');
    await settled();
    expect(log).toEqual(['a']);
    a.end();
    await first;
    c.end();
    expect(await third).toBe('c');
    expect(log).toEqual(['a', 'c']);
  });
});
