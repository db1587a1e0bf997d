import { describe, expect, test } from 'bun:test';
import { type Readiness, ReadinessWatch } from '../../../src/lsp/readiness/readiness.ts';
import { rejection } from '../../support/rejection.ts';

const found: Readiness = {
  when: 'notified',
  method: 'window/logMessage',
  matching: { message: /^Found \d+ source files?$/, type: 3 },
  timeoutMs: 60_000,
};
const quiet: Readiness = { when: 'progress-quiet', quietMs: 20, timeoutMs: 60_000 };

function progress(watch: ReadinessWatch, token: string | number, kind: string): void {
  watch.notice('$/progress', { token, value: { kind, title: 'Indexing' } });
}

/** Returns the result of `promise` if it has settled by now; a watch that is ready resolves at once. */
async function now(promise: Promise<boolean>): Promise<boolean | 'waiting'> {
  const next = new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')));
  return await Promise.race([promise, next]);
}

test('initialized is ready at once', async () => {
  expect(await now(new ReadinessWatch({ when: 'initialized' }).wait())).toBe(true);
});

describe('initialized, and indexing in the background', () => {
  const indexing = (timeoutMs: number): Readiness => ({ when: 'initialized', indexing: { token: 'index', timeoutMs } });

  test('is ready before the work with the token begins and after it has ended, regardless of other work', async () => {
    const watch = new ReadinessWatch(indexing(60_000));
    expect(await now(watch.wait())).toBe(true);
    progress(watch, 'another', 'begin');
    expect(await now(watch.wait())).toBe(true);
    let stages = 0;
    watch.whenBusy(() => stages++);
    progress(watch, 'index', 'begin');
    const ready = watch.wait();
    expect([stages, await now(ready)]).toEqual([1, 'waiting']);
    progress(watch, 'index', 'end');
    expect(await now(ready)).toBe(true);
  });

  test('is not ready after its timeout, until the late end of the work', async () => {
    const watch = new ReadinessWatch(indexing(20));
    progress(watch, 'index', 'begin');
    expect(await watch.wait()).toBe(false);
    expect(watch.isSignalGiven).toBe(false);
    progress(watch, 'index', 'end');
    expect(watch.isSignalGiven).toBe(true);
  });
});

describe('notified', () => {
  test('is ready after the notification that matches', async () => {
    const watch = new ReadinessWatch(found);
    const ready = watch.wait();
    expect(await now(ready)).toBe('waiting');
    watch.notice('window/logMessage', { type: 3, message: 'Found 12 source files' });
    expect(await now(ready)).toBe(true);
  });

  test('is ready if the notification matched before the wait', async () => {
    const watch = new ReadinessWatch(found);
    watch.notice('window/logMessage', { type: 3, message: 'Found 1 source file' });
    expect(await now(watch.wait())).toBe(true);
  });

  const others: readonly (readonly [what: string, method: string, params: unknown])[] = [
    ['another method', 'window/showMessage', { type: 3, message: 'Found 1 source file' }],
    ['another text', 'window/logMessage', { type: 3, message: 'I Found 1 source file' }],
    ['another number', 'window/logMessage', { type: 2, message: 'Found 1 source file' }],
    ['a number where a text is wanted', 'window/logMessage', { type: 3, message: 5 }],
    ['no parameters', 'window/logMessage', undefined],
    ['null', 'window/logMessage', null],
  ];
  for (const [what, method, params] of others) {
    test(`is not ready after ${what}`, async () => {
      const watch = new ReadinessWatch(found);
      watch.notice(method, params);
      expect(await now(watch.wait())).toBe('waiting');
    });
  }

  test('is ready after any notification of the method if there are no conditions', async () => {
    const watch = new ReadinessWatch({ when: 'notified', method: 'stub/ready', timeoutMs: 60_000 });
    watch.notice('stub/ready', undefined);
    expect(await now(watch.wait())).toBe(true);
  });

  test('resolves with false after its timeout', async () => {
    expect(await new ReadinessWatch({ ...found, timeoutMs: 5 }).wait()).toBe(false);
  });

  test('gives up at once when the signal aborts', async () => {
    const abort = new AbortController();
    const waiting = new ReadinessWatch({ ...found, timeoutMs: 60_000 }).wait(abort.signal);
    abort.abort(new Error('enough'));
    expect(await rejection(waiting)).toContain('enough');
  });
});

describe('notified, and busy again', () => {
  const status: Readiness = {
    when: 'notified',
    method: 'stub/status',
    matching: { quiescent: true },
    busyAgain: { quiescent: false },
    timeoutMs: 60_000,
  };
  const say = (watch: ReadinessWatch, quiescent: unknown) => watch.notice('stub/status', { quiescent });

  test('waits for the next signal once the server is busy', async () => {
    const watch = new ReadinessWatch(status);
    let busyCount = 0;
    watch.whenBusy(() => busyCount++);
    // Before the first signal a busy report changes nothing.
    say(watch, false);
    say(watch, true);
    expect(await now(watch.wait())).toBe(true);
    expect(busyCount).toBe(0);
    say(watch, false);
    say(watch, false);
    say(watch, 'perhaps');
    expect(busyCount).toBe(1);
    const ready = watch.wait();
    expect(await now(ready)).toBe('waiting');
    say(watch, true);
    expect(await now(ready)).toBe(true);
  });

  test('resolves with false after its timeout', async () => {
    const watch = new ReadinessWatch({ ...status, timeoutMs: 5 });
    say(watch, true);
    say(watch, false);
    expect(await watch.wait()).toBe(false);
  });

  test('stays ready if the server does not report that it is busy', async () => {
    const { busyAgain: _, ...once } = status;
    const watch = new ReadinessWatch(once);
    say(watch, true);
    say(watch, false);
    expect(await now(watch.wait())).toBe(true);
    expect(watch.reportsBusy).toBe(false);
  });
});

describe('progress-quiet', () => {
  test('is ready after a quiet time without any work', async () => {
    const startedAt = performance.now();
    expect(await new ReadinessWatch(quiet).wait()).toBe(true);
    expect(performance.now() - startedAt).toBeGreaterThan(15);
  });

  test('waits for all work to end, and for the quiet time after it', async () => {
    const watch = new ReadinessWatch(quiet);
    progress(watch, 'a', 'begin');
    progress(watch, 1, 'begin');
    const ready = watch.wait();
    progress(watch, 'a', 'end');
    progress(watch, 1, 'report');
    const endedAt = await new Promise<number>((resolve) => {
      setTimeout(() => {
        progress(watch, 1, 'end');
        resolve(performance.now());
      }, 60);
    });
    expect(await ready).toBe(true);
    expect(performance.now() - endedAt).toBeGreaterThan(15);
  });

  test('resolves with false if work continues until its timeout', async () => {
    const watch = new ReadinessWatch({ when: 'progress-quiet', quietMs: 5, timeoutMs: 60 });
    progress(watch, 'a', 'begin');
    expect(await watch.wait()).toBe(false);
  });

  test('is not blocked by an end without a begin', async () => {
    const watch = new ReadinessWatch(quiet);
    progress(watch, 'a', 'end');
    watch.notice('$/progress', { value: { kind: 'begin' } });
    expect(await watch.wait()).toBe(true);
  });
});
