import { spawnSync } from 'node:child_process';
import { findProgram } from '../../src/base/process/find-program.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { whyNoProgram } from '../support/skip.ts';
import { describeServer, type Questions } from './conformance.ts';

/** Conformance questions for a server that only its user can install. */
interface Installed {
  readonly fixture: string;
  readonly questions: Questions;
  /** The server's program, or the program that runs it. */
  readonly program: string;
  /**
   * Arguments with which the program succeeds if the server is installed, and its output then, if its existence is not
   * enough.
   */
  readonly probe?: { readonly args: readonly string[]; readonly prints?: RegExp };
}

/**
 * Like `describeServer`, with the program on `PATH`, even if the spec prefers to fetch one. Skipped without the
 * program: the tests do not install it.
 */
export function describeInstalled(spec: ServerSpec, { fixture, questions, program, probe }: Installed): void {
  const path = findProgram(program, process.env);
  const whyNot = path === undefined ? whyNoProgram(program) : probe && whyNotAsked(path, probe);
  describeServer(spec, { fixture, questions, whyNot, env: { SERENA_PREFER: 'system' } });
}

function whyNotAsked(path: string, { args, prints = /(?:)/ }: NonNullable<Installed['probe']>): string | undefined {
  const { status, stdout } = spawnSync(path, args, { encoding: 'utf8' });
  const call = [path, ...args].join(' ');
  if (status !== 0) return `\`${call}\` does not work here`;
  return prints.test(stdout) ? undefined : `\`${call}\` prints ${JSON.stringify(stdout.trim())}`;
}
