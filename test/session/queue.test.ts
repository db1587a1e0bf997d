import { describe, expect, test } from 'bun:test';
import { CallQueue } from '../../src/session/queue.ts';
import { rejection } from '../support/rejection.ts';

const signal = new AbortController().signal;

/** Work that runs until `end` is called and records its start and end in `events`. */
function task(name: string, events: string[]) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    events.push(`${name} begins`);
    await ended;
    events.push(`${name} ends`);
  };
  return { work, end: () => end() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('CallQueue', () => {
  test('runs shared calls at the same time', async () => {
    const queue = new CallQueue();
    const events: string[] = [];
    const [a, b] = [task('a', events), task('b', events)];
    const done = [queue.run('shared', signal, a.work), queue.run('shared', signal, b.work)];
    await settle();
    expect(events).toEqual(['a begins', 'b begins']);
    a.end();
    b.end();
    await Promise.all(done);
  });

  test('makes an exclusive call wait for all calls before it, and all calls after it wait for it', async () => {
    const queue = new CallQueue();
    const events: string[] = [];
    const [a, b, c] = [task('a', events), task('b', events), task('c', events)];
    const done = [
      queue.run('shared', signal, a.work),
      queue.run('exclusive', signal, b.work),
      queue.run('shared', signal, c.work),
    ];
    for (const { end } of [c, b, a]) {
      await settle();
      end();
    }
    await Promise.all(done);
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('continues after a failed call', async () => {
    const queue = new CallQueue();
    const failed = queue.run('exclusive', signal, () => Promise.reject(new Error('no')));
    expect(await queue.run('exclusive', signal, async () => 'yes')).toBe('yes');
    expect(await rejection(failed)).toContain('no');
  });

  test('never starts a call that was cancelled while it waited', async () => {
    const queue = new CallQueue();
    const events: string[] = [];
    const first = task('first', events);
    const cancelled = new AbortController();
    const running = queue.run('exclusive', signal, first.work);
    const waiting = queue.run('shared', cancelled.signal, task('second', events).work);
    cancelled.abort(new Error('cancelled'));
    first.end();
    await running;
    expect(await rejection(waiting)).toContain('cancelled');
    await settle();
    expect(events).toEqual(['first begins', 'first ends']);
  });
});
