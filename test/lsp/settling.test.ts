import { describe, expect, test } from 'bun:test';
import { Settling } from '../../src/lsp/settling.ts';
import { rejection } from '../support/rejection.ts';

const never = new AbortController().signal;

/** Returns whether `promise` has settled by now. */
async function hasSettled(promise: Promise<void>): Promise<boolean> {
  const next = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return await Promise.race([promise.then(() => true), next]);
}

describe('Settling', () => {
  test('has nothing to wait for in a document that was never sent', async () => {
    expect(await hasSettled(new Settling().wait('/a.sh', never))).toBe(true);
  });

  test('waits for the sign about the document, and for no other', async () => {
    const settling = new Settling();
    settling.begin('/a.sh');
    settling.begin('/b.sh');
    const waiting = settling.wait('/a.sh', never);
    settling.end('/b.sh');
    expect(await hasSettled(waiting)).toBe(false);
    settling.end('/a.sh');
    expect(await hasSettled(waiting)).toBe(true);
    expect(await hasSettled(settling.wait('/a.sh', never))).toBe(true);
  });

  test('waits again for a document that was sent again', async () => {
    const settling = new Settling();
    settling.begin('/a.sh');
    const first = settling.wait('/a.sh', never);
    settling.begin('/a.sh');
    expect(await hasSettled(first)).toBe(true);
    expect(await hasSettled(settling.wait('/a.sh', never))).toBe(false);
  });

  test('ends the wait with its signal', async () => {
    const settling = new Settling();
    settling.begin('/a.sh');
    expect(await rejection(settling.wait('/a.sh', AbortSignal.abort(new Error('given up'))))).toContain('given up');
  });

  test('does not wait for ever for a server that says nothing', async () => {
    const settling = new Settling();
    settling.begin('/a.sh');
    const startedAt = performance.now();
    await settling.wait('/a.sh', never);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await hasSettled(settling.wait('/a.sh', never))).toBe(true);
  }, 20_000);
});
