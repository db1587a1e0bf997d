import { describe, expect, test } from 'bun:test';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isExpected } from '../../src/base/errors.ts';
import { holdShared, lockTimeoutMs, withLock } from '../../src/base/lock.ts';
import { rejection } from '../support/rejection.ts';
import { makeTempDir } from '../support/temp.ts';

const holder = join(import.meta.dirname, 'lock-holder.ts');

describe('tryLock()', () => {
  test('succeeds for at least one of two processes that try at the same time', async () => {
    const count = 200;
    const args = [join(import.meta.dirname, 'lock-contender.ts'), makeTempDir(), `${count}`, `${Date.now() + 1_000}`];
    const contend = () => promisify(execFile)(process.execPath, args);
    const [first, second] = (await Promise.all([contend(), contend()])).map(({ stdout }) => [...stdout]);
    expect(first).toHaveLength(count);
    expect(first?.flatMap((got, index) => (got === '0' && second?.[index] === '0' ? [index] : []))).toEqual([]);
  });
});

describe('withLock()', () => {
  test('admits one caller at a time, and all of them eventually', async () => {
    const path = join(makeTempDir(), 'deep', 'x.lock');
    let inside = 0;
    let most = 0;
    const enter = () =>
      withLock(path, { timeoutMs: 10_000 }, async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setImmediate(resolve));
        return inside--;
      });
    await Promise.all([enter(), enter(), enter()]);
    expect(most).toBe(1);
  });

  test('releases the lock after a failure, and rethrows it', async () => {
    const path = join(makeTempDir(), 'x.lock');
    expect(await rejection(withLock(path, { timeoutMs: 0 }, () => Promise.reject(new Error('inner'))))).toContain(
      'inner',
    );
    expect(await withLock(path, { timeoutMs: 0 }, async () => 'in')).toBe('in');
  });

  test('names the lock file when another process holds it', async () => {
    const path = join(makeTempDir(), 'x.lock');
    const child = await hold(path);
    let waits = 0;
    const onWait = () => void waits++;
    const error = await withLock(path, { timeoutMs: 200, onWait }, async () => 'in').catch((reason: unknown) => reason);
    expect(isExpected(error, 'lock.held')).toBe(true);
    expect(String(error)).toContain(`\`${path}\``);
    expect(waits).toBe(1);
    await end(child);
  });

  test('gets the lock of a process that was killed', async () => {
    const path = join(makeTempDir(), 'x.lock');
    const child = await hold(path);
    const waiting = Promise.withResolvers<void>();
    const entered = withLock(path, { timeoutMs: 10_000, onWait: () => waiting.resolve() }, async () => 'in');
    await waiting.promise;
    await end(child);
    expect(await entered).toBe('in');
  });

  test('stops waiting when its signal aborts', async () => {
    const path = join(makeTempDir(), 'x.lock');
    const child = await hold(path);
    const controller = new AbortController();
    const onWait = () => controller.abort(new Error('enough'));
    const entered = withLock(path, { timeoutMs: 10_000, signal: controller.signal, onWait }, async () => 'in');
    expect(await rejection(entered)).toContain('enough');
    await end(child);
  });

  test('runs without a lock where no lock file can be created', async () => {
    const file = join(makeTempDir(), 'file');
    await Bun.write(file, '');
    expect(await withLock(join(file, 'x.lock'), { timeoutMs: 0 }, async () => 'in')).toBe('in');
  });
});

test.each([
  [undefined, 300_000],
  ['', 300_000],
  ['junk', 300_000],
  ['-1', 300_000],
  ['0', 0],
  ['1.5', 1_500],
])('lockTimeoutMs() of %p is %p', (value, expected) => {
  expect(lockTimeoutMs({ SERENA_LOCK_TIMEOUT: value })).toBe(expected);
});

/** Starts a process that takes and holds the lock. */
async function hold(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [holder, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (child.stdout !== null) await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

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
