import { spawnSync } from 'node:child_process';
import { programCommand } from './client.ts';
import { whyNoProgram } from './skip.ts';

/** Command prefix that runs a program as a user who owns none of the tests' files. */
export const asNobody: readonly string[] = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

/** Returns the reason why our program cannot run as another user, with this prefix, here, or `undefined` if it can. */
export function whyNoOtherUser(prefix = asNobody): string | undefined {
  const [setpriv = '', ...args] = [...prefix, ...programCommand(['--version'])];
  const whyNot = whyNoProgram('setpriv');
  if (whyNot !== undefined) return whyNot;
  return spawnSync(setpriv, args, { cwd: '/' }).status === 0 ? undefined : 'no program can be run as another user here';
}
