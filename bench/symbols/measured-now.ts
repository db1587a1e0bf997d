import { spawnSync } from 'node:child_process';
import { root } from '../../scripts/support/paths.ts';
import type { Measured } from './measured.ts';

let checkout: Pick<Measured, 'commit'> | undefined;

/** Returns today's date and the commit of this checkout, with `+` if its files differed from it at the first call. */
export function measuredNow(): Measured {
  checkout ??= readCommit();
  return { date: new Date().toISOString().slice(0, 10), ...checkout };
}

function readCommit(): Pick<Measured, 'commit'> {
  const args = ['describe', '--always', '--exclude=*', '--dirty=+'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? { commit: stdout.trim() } : {};
}
