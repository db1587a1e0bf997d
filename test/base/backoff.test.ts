import { describe, expect, test } from 'bun:test';
import { Backoff } from '../../src/base/backoff.ts';

/** Returns how many attempts are skipped before the next one, which has the given outcome. */
function skippedBefore(backoff: Backoff, outcome: { hasFailed: boolean }): number {
  let skipped = 0;
  while (!backoff.shouldTry()) skipped++;
  backoff.record(outcome);
  return skipped;
}

describe('Backoff', () => {
  test('skips twice as many attempts after each further failure in a row, and no more than 31', () => {
    const backoff = new Backoff();
    const skipped = Array.from({ length: 8 }, () => skippedBefore(backoff, { hasFailed: true }));
    expect(skipped).toEqual([0, 1, 3, 7, 15, 31, 31, 31]);
  });

  test('skips none after a success', () => {
    const backoff = new Backoff();
    skippedBefore(backoff, { hasFailed: true });
    skippedBefore(backoff, { hasFailed: true });
    expect(skippedBefore(backoff, { hasFailed: false })).toBe(3);
    expect(skippedBefore(backoff, { hasFailed: false })).toBe(0);
  });
});
