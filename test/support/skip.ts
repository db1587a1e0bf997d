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

const ran = new Map<string, boolean>();

/**
 * Returns the reason why a program cannot be run here, or `undefined` if it can: it is not on `PATH`, or given arguments, it
 * fails with them. All tests use this wording, so that `npm test` lists a missing program once.
 */
export function whyNoProgram(program: string, ...args: readonly string[]): string | undefined {
  if (Bun.which(program) === null) return `\`${program}\` is not installed`;
  if (args.length === 0) return undefined;
  const call = [program, ...args].join(' ');
  const works = ran.get(call) ?? spawnSync(program, args).status === 0;
  ran.set(call, works);
  return works ? undefined : `\`${call}\` fails here`;
}

/** Returns the reason why gopls cannot be tested here, or `undefined` if it can. */
export function whyNoGo(): string | undefined {
  return whyNoProgram('go', 'version');
}

/** Returns the reason why Python packages cannot be fetched with pip here, or `undefined` if they can. */
export function whyNoPip(): string | undefined {
  // Its version would take ten times as long.
  return whyNoProgram('python3', '-c', 'import pip') === undefined ? undefined : '`pip` is not installed';
}

/**
 * Returns the reason why virtual environments with packages cannot be made with Python 3.11 here, whose pip installs into
 * another environment, or `undefined` if they can.
 */
export function whyNoPython(): string | undefined {
  const check = 'import sys, venv; sys.exit(0 if sys.version_info >= (3, 11) else 1)';
  const isOld = whyNoProgram('python3', '-c', check) !== undefined;
  return whyNoProgram('python3') ?? (isOld ? '`python3` is older than 3.11, or has no `venv`' : whyNoPip());
}
