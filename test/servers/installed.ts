import { spawnSync } from 'node:child_process';
import { findProgram } from '../../src/base/find-program.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { describeServer, type Questions } from './conformance.ts';

/** What is asked of a server that only its user can install. */
interface Installed {
  readonly fixture: string;
  readonly questions: Questions;
  /** The server's program, or what runs it. */
  readonly program: string;
  /** Arguments with which the program succeeds where the server is there, if that takes more than the program. */
  readonly probe?: readonly string[];
}

/**
 * As `describeServer`, for the program that is on `PATH`, also where the spec would rather fetch one. Skips where there is none:
 * the tests do not install it.
 */
export function describeInstalled(spec: ServerSpec, { fixture, questions, program, probe }: Installed): void {
  const path = findProgram(program, process.env);
  const reason = `\`${program}\` is not on \`PATH\``;
  const whyNot = path === undefined ? reason : probe && whyNotRun(path, probe);
  describeServer(spec, { fixture, questions, whyNot, env: { SERENA_PREFER: 'system' } });
}

function whyNotRun(path: string, probe: readonly string[]): string | undefined {
  return spawnSync(path, probe, { stdio: 'ignore' }).status === 0 ? undefined : `\`${path}\` lacks the server`;
}
