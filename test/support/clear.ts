import { expect } from 'bun:test';
import type { Answer } from './client.ts';
import type { Ended } from './program.ts';

/** A line of a stack trace, and what is said of a failure that nobody expected. */
const trace = /^\s+at |a fault of this|internal error/m;

/** Expects a call's failure to be one that its reader can act on, with each of `parts` in its text. */
export function expectClearError(answer: Answer, ...parts: readonly string[]): void {
  expect(answer.text).toMatch(/^Error executing tool \w+: ./);
  expect(answer).toMatchObject({ isError: true, blocks: [answer.text], structured: undefined });
  expect(answer.text).not.toMatch(trace);
  for (const part of parts) expect(answer.text).toContain(part);
}

/** Expects the program to have ended with `code` and a message that its reader can act on. */
export function expectClearExit(ended: Ended, code: number, ...parts: readonly string[]): void {
  expect(ended.stderr).toMatch(/^error: ./m);
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).not.toMatch(trace);
  for (const part of parts) expect(ended.stderr).toContain(part);
}
