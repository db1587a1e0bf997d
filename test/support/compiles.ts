import { expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { whyNoProgram } from './skip.ts';
import type { Workspace } from './workspace.ts';

/** Absolute path of the TypeScript compiler that npm installed. */
export const tsc = join(dirname(dirname(import.meta.dirname)), 'node_modules/.bin/tsc');

/** A compiler and its arguments. */
export type CompileCommand = readonly [program: string, ...args: string[]];

/** Returns why a compiler cannot be run here, or `undefined`. */
export function whyNotRun([program]: CompileCommand): string | undefined {
  return whyNoProgram(program);
}

/** Expects that a project compiles; otherwise the failure shows what the compiler wrote. */
export function expectCompiles(project: Workspace, [program, ...args]: CompileCommand): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: project.root, encoding: 'utf8' });
  expect(`${status === 0 ? 'compiled' : `${stdout}${stderr}`}`).toBe('compiled');
}
