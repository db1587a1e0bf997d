import { afterEach, describe, expect, test } from 'bun:test';
import { isExpected } from '../../src/base/errors.ts';
import { WorkerHost, type WorkerHostOptions } from '../../src/base/worker-host.ts';
import type { WorkerProgress } from '../../src/base/worker-protocol.ts';
import { rejection } from '../support/rejection.ts';
import type { StubOperations } from './worker-host-stub.ts';

const workerUrl = new URL('./worker-host-stub.ts', import.meta.url);
const onTimeout = () => new Error('too slow');
const hosts: WorkerHost<StubOperations>[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

function newHost(options: Partial<WorkerHostOptions<StubOperations>> = {}): WorkerHost<StubOperations> {
  const host = new WorkerHost<StubOperations>({ workerUrl, deadlineMs: 60_000, ...options });
  hosts.push(host);
  return host;
}

/** Starts the thread of a host, so that the deadline of the next request is that of the options. Returns its id. */
async function warmUp(host: WorkerHost<StubOperations>): Promise<number> {
  return await host.send('thread', {}, { onTimeout });
}

describe('WorkerHost', () => {
  test('answers all requests in one thread, which may be started before', async () => {
    const host = newHost();
    host.start();
    host.start();
    const ids = await Promise.all([warmUp(host), warmUp(host), warmUp(host)]);
    expect(new Set(ids).size).toBe(1);
    expect({ last: host.lastRequest, isBusy: host.isBusy }).toEqual({ last: 3, isBusy: false });
  });

  test('passes on errors and progress', async () => {
    const host = newHost();
    const refused = await host.send('refuse', {}, { onTimeout }).catch((error: unknown) => error);
    expect(isExpected(refused) && { code: refused.code, message: refused.message, hints: refused.hints }).toEqual({
      code: 'file.not-found',
      message: 'nothing there',
      hints: ['look elsewhere'],
    });
    const failed = await host.send('fail', {}, { onTimeout }).catch((error: unknown) => error);
    expect(failed instanceof Error && [failed.message, failed.stack?.includes('worker-host-stub')]).toEqual([
      'a bug',
      true,
    ]);
    const progress: WorkerProgress[] = [];
    await host.send('report', {}, { onTimeout, onProgress: (one) => progress.push(one) });
    expect(progress).toEqual([{ doneCount: 1, fileCount: 2 }]);
  });

  test('makes a request stop that takes too long or is cancelled, and keeps the thread', async () => {
    const host = newHost({ deadlineMs: 50 });
    const thread = await warmUp(host);
    const slow = rejection(host.send('spin', {}, { onTimeout }));
    const next = warmUp(host);
    expect(await slow).toBe('too slow');
    expect(await next).toBe(thread);
    const abort = new AbortController();
    const cancelled = rejection(host.send('spin', {}, { onTimeout, signal: abort.signal }));
    abort.abort(new Error('cancelled'));
    expect(await cancelled).toBe('cancelled');
    expect(await warmUp(host)).toBe(thread);
  });

  test('skips a request that is cancelled while it waits', async () => {
    const host = newHost({ deadlineMs: 200 });
    await warmUp(host);
    const abort = new AbortController();
    const first = rejection(host.send('spin', {}, { onTimeout }));
    const second = rejection(host.send('exit', {}, { onTimeout, signal: abort.signal }));
    abort.abort(new Error('cancelled'));
    expect(await second).toBe('cancelled');
    expect(await first).toBe('too slow');
    const third = new AbortController();
    third.abort(new Error('before'));
    expect(await rejection(host.send('exit', {}, { onTimeout, signal: third.signal }))).toBe('before');
    await warmUp(host);
  });

  test.each([
    ['hang', 'too slow'],
    ['exit', 'The worker thread exited with code 3'],
  ] as const)('gives the waiting requests to a new thread when one does not survive `%s`', async (kind, message) => {
    const host = newHost({ deadlineMs: 50 });
    const thread = await warmUp(host);
    const lost = rejection(host.send(kind, {}, { onTimeout }));
    const waiting = warmUp(host);
    expect(await lost).toBe(message);
    expect(await waiting).not.toBe(thread);
  });

  test('replaces a thread that has loaded as much as it may', async () => {
    const host = newHost({ loads: { of: (query) => ('of' in query ? (query.of ?? '') : ''), max: 2 } });
    const threadOf = (of: string) => host.send('thread', { of }, { onTimeout });
    const [a, b, again, c, d] = await Promise.all(['a', 'b', 'a', 'c', 'a'].map(threadOf));
    expect([b, again, d]).toEqual([a, a, c]);
    expect(c).not.toBe(a);
  });

  test('rejects all requests when it is closed, and later ones', async () => {
    const host = newHost();
    const requests = [rejection(host.send('hang', {}, { onTimeout })), rejection(warmUp(host))];
    await host.close(new Error('closed'));
    expect(await Promise.all(requests)).toEqual(['closed', 'closed']);
    host.start();
    expect(await rejection(warmUp(host))).toBe('closed');
  });
});
