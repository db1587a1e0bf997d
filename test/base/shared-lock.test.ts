import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { withLock } from '../../src/base/lock.ts';
import { holdShared } from '../../src/base/shared-lock.ts';
import { rejection } from '../support/rejection.ts';
import { makeTempDir } from '../support/temp.ts';

describe('holdShared()', () => {
  test('admits other shared holders, and no exclusive one until all have released', async () => {
    const path = join(makeTempDir(), 'deep', 'x.use');
    const enter = () => withLock(path, { timeoutMs: 0 }, async () => 'in');
    const holds = [await holdShared(path), await holdShared(path)];
    expect(await rejection(enter())).toContain('another process holds it');
    holds[0]?.();
    expect(await rejection(enter())).toContain('another process holds it');
    holds[1]?.();
    expect(await enter()).toBe('in');
  });

  test('waits for an exclusive holder', async () => {
    const path = join(makeTempDir(), 'x.use');
    const inside = Promise.withResolvers<void>();
    let isDone = false;
    const taken = withLock(path, { timeoutMs: 0 }, async () => {
      await inside.promise;
      isDone = true;
    });
    const holding = holdShared(path);
    setTimeout(inside.resolve, 100);
    const release = await holding;
    expect(isDone).toBe(true);
    await taken;
    release();
  });

  test('continues without a lock where no lock file can be created', async () => {
    const release = await holdShared('/dev/null/x.use');
    release();
  });
});
