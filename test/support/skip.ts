import { describe, test } from 'bun:test';
import { spawnSync } from 'node:child_process';

type Body = () => void | Promise<void>;

/**
 * Returns `test`, or, where there is a reason against it, a `test` that skips and carries the reason in its name:
 * `npm test` prints it, and in CI fails for what must not skip (`test/must-not-skip.json`).
 */
export function testUnless(reason: string | undefined): (name: string, body: Body, timeoutMs?: number) => void {
  if (reason === undefined) return test;
  return (name, body) => test.skip(`${name} [skipped: ${reason}]`, body);
}

/** Returns `describe`, or, where there is a reason against it, one that skips all its tests and carries the reason. */
export function describeUnless(reason: string | undefined): (name: string, body: () => void) => void {
  if (reason === undefined) return describe;
  return (name, body) => describe.skip(`${name} [skipped: ${reason}]`, body);
}

/** Returns why gopls cannot be tested here, or `undefined` if it can. */
export function whyNoGo(): string | undefined {
  return spawnSync('go', ['version']).status === 0 ? undefined : 'Go is not installed';
}
