import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { log } from './log.ts';

/**
 * Ends the process groups it was told of as soon as its standard input ends, which the kernel sees to however we die,
 * `kill -9` included: with SIGTERM, and a second later with SIGKILL. It sits in a session of its own, so what kills our
 * process group spares it. There is no `--` before the group because dash, Debian's `/bin/sh`, then refuses to kill at
 * all.
 */
const guardScript = `
trap '' HUP INT TERM
groups=' '
while read -r change group; do
  case $change in
    add) groups="$groups$group " ;;
    del) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
isAny=
for group in $groups; do kill -TERM "-$group" 2>/dev/null && isAny=1; done
[ -z "$isAny" ] || sleep 1
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
`;

const shell = '/bin/sh';
let guard: ChildProcess | undefined;

/** A process group under guard. */
export interface Guarded {
  /** Resolves once the guard is sure to learn of the group, even if we die at that moment. Never rejects. */
  readonly told: Promise<void>;
  /** Ends the guard over the group, for when it is gone. */
  lift(): void;
}

/**
 * Puts the process group `group` under guard: it does not outlive this process.
 *
 * Where there is no `/bin/sh` (Windows, bare containers) only what the children themselves watch, such as their stdin,
 * remains.
 */
export function guardGroup(group: number): Guarded {
  const input = startedGuard()?.stdin;
  return {
    // What is in the pipe is read, whether or not we are still there.
    told: new Promise((resolve) => (input ? input.write(`add ${group}\n`, () => resolve()) : resolve())),
    lift: () => void input?.write(`del ${group}\n`),
  };
}

function startedGuard(): ChildProcess | undefined {
  if (guard !== undefined && guard.exitCode === null && guard.signalCode === null) return guard;
  if (process.platform === 'win32' || !existsSync(shell)) return undefined;
  guard = spawn(shell, ['-c', guardScript], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', env: {} });
  guard.on('error', (error) => log('guard').warn(`Cannot start the guard of our children: ${error.message}`));
  guard.stdin?.on('error', () => undefined);
  guard.unref();
  unrefStream(guard.stdin);
  return guard;
}

function unrefStream(stream: unknown): void {
  if (typeof stream !== 'object' || stream === null) return;
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}
