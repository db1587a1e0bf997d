import { spawnSync } from 'node:child_process';
import { findProgram } from '../../src/base/process/find-program.ts';
import type { ServerSpec } from '../../src/servers/catalog/spec.ts';
import { describeServer, type Questions } from './conformance.ts';

/** What is asked of a server that only its user can install. */
interface Installed {
  readonly fixture: string;
  readonly questions: Questions;
  /** The server's program, or what runs it. */
  readonly program: string;
  /** Arguments with which the program succeeds where the server is there, and what it then prints, if being there is not enough. */
  readonly probe?: { readonly args: readonly string[]; readonly prints?: RegExp };
}

/**
 * As `describeServer`, for the program that is on `PATH`, also where the spec would rather fetch one. Skips where there is none:
 * the tests do not install it.
 */
export function describeInstalled(spec: ServerSpec, { fixture, questions, program, probe }: Installed): void {
  const path = findProgram(program, process.env);
  const whyNot = path === undefined ? `\`${program}\` is not on \`PATH\`` : probe && whyNotAsked(path, probe);
  describeServer(spec, { fixture, questions, whyNot, env: { SERENA_PREFER: 'system' } });
}

function whyNotAsked(path: string, { args, prints = /(?:)/ }: NonNullable<Installed['probe']>): string | undefined {
  const { status, stdout } = spawnSync(path, args, { encoding: 'utf8' });
  const call = [path, ...args].join(' ');
  if (status !== 0) return `\`${call}\` does not work here`;
  return prints.test(stdout) ? undefined : `\`${call}\` prints ${JSON.stringify(stdout.trim())}`;
}
