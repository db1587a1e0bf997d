import { expect } from 'bun:test';
import type { Answer } from './client.ts';
import type { Ended } from './program.ts';

/** A line of a stack trace, or the message of an unexpected failure. */
const trace = /^\s+at |a fault of this|internal error/im;

/** Expects a failed call with a clear message that contains each of `parts`. */
export function expectClearError(answer: Answer, ...parts: readonly string[]): void {
  expect(answer.text).toMatch(/^Error executing tool \w+: ./);
  expect(answer).toMatchObject({ isError: true, blocks: [answer.text], structured: undefined });
  expect(answer.text).not.toMatch(trace);
  for (const part of parts) expect(answer.text).toContain(part);
}

/** Expects the program to have exited with `code` and a clear message. */
export function expectClearExit(ended: Ended, code: number, ...parts: readonly string[]): void {
  expect(ended.stderr).toMatch(/^error: ./m);
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).not.toMatch(trace);
  for (const part of parts) expect(ended.stderr).toContain(part);
}
