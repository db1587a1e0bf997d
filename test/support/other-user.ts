import { spawnSync } from 'node:child_process';
import { programCommand } from './client.ts';

/** Put before a command: runs it as a user who owns nothing of what the tests make. */
export const asNobody: readonly string[] = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

/** Returns why our program cannot be run as another user here, or `undefined` if it can. */
export function whyNoOtherUser(): string | undefined {
  const [setpriv = '', ...args] = [...asNobody, ...programCommand(['--version'])];
  return spawnSync(setpriv, args, { cwd: '/' }).status === 0 ? undefined : 'no program can be run as another user here';
}
