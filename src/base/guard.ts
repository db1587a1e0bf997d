import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { log } from './log.ts';

/**
 * Ends the process groups it was told of as soon as its standard input ends, which the kernel sees to however we die,
 * `kill -9` included: with SIGTERM, and a second later with SIGKILL. It sits in a session of its own, so what kills our
 * process group spares it. It answers with each group that it has learned of. There is no `--` before the group because dash, Debian's `/bin/sh`, then refuses to kill at
 * all.
 */
const guardScript = `
trap '' HUP INT TERM PIPE
groups=' '
while read -r change group; do
  case $change in
    add) groups="$groups$group "; echo "$group" ;;
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
/** By group: who waits until the guard has learned of it. */
const waiting = new Map<number, () => void>();

/** A process group under guard. */
export interface Guarded {
  /** Resolves once the guard has learned of the group, or is gone. Never rejects. */
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
  const told = Promise.withResolvers<void>();
  // Its answer is waited for: that a pipe has taken a line the runtime may say while the line is still in our own memory.
  if (input) waiting.set(group, told.resolve);
  else told.resolve();
  input?.write(`add ${group}\n`);
  return { told: told.promise, lift: () => void input?.write(`del ${group}\n`) };
}

function startedGuard(): ChildProcess | undefined {
  if (guard !== undefined && guard.exitCode === null && guard.signalCode === null) return guard;
  if (process.platform === 'win32' || !existsSync(shell)) return undefined;
  guard = spawn(shell, ['-c', guardScript], { detached: true, stdio: ['pipe', 'pipe', 'ignore'], cwd: '/', env: {} });
  guard.on('error', (error) => {
    log('guard').warn(`Cannot start the guard of our children: ${error.message}`);
    waitNoMore();
  });
  guard.once('exit', waitNoMore);
  guard.stdin?.on('error', () => undefined);
  if (guard.stdout) createInterface({ input: guard.stdout }).on('line', (line) => release(Number(line)));
  guard.unref();
  unrefStream(guard.stdin);
  unrefStream(guard.stdout);
  return guard;
}

function release(group: number): void {
  waiting.get(group)?.();
  waiting.delete(group);
}

function waitNoMore(): void {
  for (const group of waiting.keys()) release(group);
}

function unrefStream(stream: unknown): void {
  if (typeof stream !== 'object' || stream === null) return;
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}
