import { describe, expect, test } from 'bun:test';
import { isBusyFile, whileBusy } from '../../src/base/busy-file.ts';

/** Returns a change that fails the first times with `code`, and its number of calls. */
function failing(times: number, code: string): { change: () => string; calls: () => number } {
  let calls = 0;
  const change = () => {
    calls++;
    if (calls <= times) throw Object.assign(new Error(code), { code });
    return 'done';
  };
  return { change, calls: () => calls };
}

describe('whileBusy()', () => {
  test.each(['EPERM', 'EACCES', 'EBUSY'])('repeats a change that fails with %s on Windows', (code) => {
    const { change, calls } = failing(3, code);
    expect(whileBusy(change, 'win32')).toBe('done');
    expect(calls()).toBe(4);
  });

  test.each([
    ['EPERM', 'linux'],
    ['EBUSY', 'darwin'],
    ['ENOENT', 'win32'],
  ] as const)('fails at once with %s on %s', (code, platform) => {
    const { change, calls } = failing(1, code);
    expect(() => whileBusy(change, platform)).toThrow(code);
    expect(calls()).toBe(1);
  });

  test('ends after a second with the last error', () => {
    const startedAt = performance.now();
    expect(() => whileBusy(failing(Number.POSITIVE_INFINITY, 'EBUSY').change, 'win32')).toThrow('EBUSY');
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  test('isBusyFile() is about Windows alone', () => {
    const error = Object.assign(new Error(), { code: 'EPERM' });
    expect([isBusyFile(error, 'win32'), isBusyFile(error, 'linux'), isBusyFile(new Error('x'), 'win32')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
