import { expect, test } from 'bun:test';
import { Silence } from '../../src/service/silence.ts';

const tickMs = 5;

test('time in which this process did not listen is no silence of the service', () => {
  const silence = new Silence(tickMs);
  spin(20 * tickMs);
  expect(silence.tick()).toBe(tickMs);
  for (const count of [2, 3, 4]) {
    spin(tickMs);
    expect(silence.tick()).toBe(count * tickMs);
  }
  silence.end();
  spin(tickMs);
  expect(silence.tick()).toBe(tickMs);
});

/** Keeps this process from listening. */
function spin(forMs: number): void {
  const until = performance.now() + forMs;
  while (performance.now() < until);
}
