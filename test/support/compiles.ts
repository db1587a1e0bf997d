import { expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fingerprint } from './fingerprint.ts';
import { whyNoProgram } from './skip.ts';
import type { Workspace } from './workspace.ts';

/** A compiler and its arguments. */
export type CompileCommand = readonly [program: string, ...args: string[]];

/** Checks the types of the TypeScript project in a directory, but not those of the compiler's own declarations. */
export const checkTypes: CompileCommand = [
  join(dirname(dirname(import.meta.dirname)), 'node_modules/.bin/tsc'),
  ...['-p', '.', '--noEmit', '--skipDefaultLibCheck'],
];

/** Fingerprints of the projects that {@link checkTypes} has accepted: several servers change the same project alike. */
const accepted = new Set<string>();

/** Returns why a compiler cannot be run here, or `undefined`. */
export function whyNotRun([program]: CompileCommand): string | undefined {
  return whyNoProgram(program);
}

/** Expects that a project compiles; otherwise the failure shows what the compiler wrote. */
export function expectCompiles(project: Workspace, command: CompileCommand): void {
  // Other compilers also read what they wrote before, and caches of the user.
  const content = command === checkTypes ? fingerprint(project.root, (path) => path === '.serena') : undefined;
  if (content !== undefined && accepted.has(content)) return;
  const [program, ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: project.root, encoding: 'utf8' });
  expect(`${status === 0 ? 'compiled' : `${stdout}${stderr}`}`).toBe('compiled');
  if (content !== undefined) accepted.add(content);
}
