import { describe, expect, test } from 'bun:test';
import { KeyedMutex } from '../../src/base/keyed-mutex.ts';
import { rejection } from '../support/rejection.ts';

const never = new AbortController().signal;
const key = {};

/** Work that notes its begin, and ends when it is told to. */
function job(name: string, log: string[]) {
  const end = Promise.withResolvers<string>();
  const work = () => {
    log.push(name);
    return end.promise;
  };
  return { work, end: () => end.resolve(name), fail: () => end.reject(new Error(name)) };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('KeyedMutex', () => {
  test('do work of one key in order, each once the one before it is over', async () => {
    const turns = new KeyedMutex();
    const log: string[] = [];
    const [a, b, c] = [job('a', log), job('b', log), job('c', log)];
    const [first, second, third] = [a, b, c].map(({ work }) => turns.take(key, never, work));
    await settled();
    expect(log).toEqual(['a']);
    a.end();
    expect(await first).toBe('a');
    await settled();
    expect(log).toEqual(['a', 'b']);
    // A failure is that of its own work alone.
    b.fail();
    expect(await rejection(Promise.resolve(second))).toBe('b');
    c.end();
    expect(await third).toBe('c');
  });

  test('of other keys do not wait', async () => {
    const turns = new KeyedMutex();
    const log: string[] = [];
    const [a, b] = [job('a', log), job('b', log)];
    const first = turns.take(key, never, a.work);
    b.end();
    expect(await turns.take({}, never, b.work)).toBe('b');
    a.end();
    await first;
  });

  test('are left out when their signal aborts, and keep the order of the others', async () => {
    const turns = new KeyedMutex();
    const log: string[] = [];
    const [a, b, c] = [job('a', log), job('b', log), job('c', log)];
    const first = turns.take(key, never, a.work);
    const abort = new AbortController();
    const second = rejection(turns.take(key, abort.signal, b.work));
    const third = turns.take(key, never, c.work);
    abort.abort(new Error('given up'));
    expect(await second).toBe('given up');
    await settled();
    expect(log).toEqual(['a']);
    a.end();
    await first;
    c.end();
    expect(await third).toBe('c');
    expect(log).toEqual(['a', 'c']);
  });
});
