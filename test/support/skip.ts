import { describe, test } from 'bun:test';
import { spawnSync } from 'node:child_process';

type Body = () => void | Promise<void>;

/**
 * Returns `test`, or, given a reason, a function that skips the test and puts the reason into its name. `npm test`
 * prints the reasons, and fails in CI for tests that must not be skipped (`test/must-not-skip.json`).
 */
export function testUnless(reason: string | undefined): (name: string, body: Body, timeoutMs?: number) => void {
  if (reason === undefined) return test;
  return (name, body) => test.skip(`${name} [skipped: ${reason}]`, body);
}

/** Returns `describe`, or, given a reason, a function that skips all its tests and puts the reason into its name. */
export function describeUnless(reason: string | undefined): (name: string, body: () => void) => void {
  if (reason === undefined) return describe;
  return (name, body) => describe.skip(`${name} [skipped: ${reason}]`, body);
}

/** Returns the reason why gopls cannot be tested here, or `undefined` if it can. */
export function whyNoGo(): string | undefined {
  return spawnSync('go', ['version']).status === 0 ? undefined : 'Go is not installed';
}
