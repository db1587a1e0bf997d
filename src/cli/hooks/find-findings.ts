import { spawnSync } from 'node:child_process';
import type { Findings, FindingsQuestion } from '../../hooks/findings.ts';
import { VerificationData, verificationLines } from '../../tools/answers/verification.ts';
import type { Environment } from '../environment.ts';

/** Returns what `serena verify` finds in time; `undefined` if that is nothing, or if it fails. */
export function findFindings(question: FindingsQuestion, { command, env }: Environment): Findings | undefined {
  const { directory, file, limitSeconds } = question;
  const [program, ...first] = command;
  const args = ['verify', '--json', '--base', 'HEAD', '--timeout', String(limitSeconds)];
  const { stdout } = spawnSync(program, [...first, ...args, ...(file === undefined ? [] : ['--', file])], {
    cwd: directory,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 1_000 * limitSeconds,
    windowsHide: true,
  });
  const data = VerificationData.safeParse(resultOf(stdout));
  if (!data.success || data.data.changed_files === 0) return undefined;
  const { problems, open } = data.data;
  const lines = verificationLines({ ...data.data, tests: [] }, { firstLine: 1, shown: (path) => path });
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return { hasErrors, lines: problems.length + open.length === 0 ? [] : lines.slice(1) };
}

function resultOf(text: string): unknown {
  try {
    return JSON.parse(text).result;
  } catch {
    return undefined;
  }
}
