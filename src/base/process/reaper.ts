import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { log } from '../log.ts';

/**
 * Ends the process groups it was told of as soon as its standard input ends, which the kernel sees to however we die,
 * `kill -9` included: with SIGTERM, and a second later with SIGKILL. It sits in a session of its own, so what kills our
 * process group spares it. It answers each group that it has learned of with a line. There is no `--` before the group
 * because dash, Debian's `/bin/sh`, then refuses to kill at all.
 */
const reaperScript = `
trap '' HUP INT TERM PIPE
groups=' '
while read -r change group; do
  case $change in
    add) groups="$groups$group "; echo ;;
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
/** Who waits until the guard has learned of a group, in the order in which it hears of them. */
const waiting: (() => void)[] = [];
const newline = 0x0a;

/** A process group under guard. */
export interface Reaper {
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
export function reapGroup(group: number): Reaper {
  const input = startedReaper()?.stdin;
  const told = Promise.withResolvers<void>();
  // Its answer is waited for: that a pipe has taken a line the runtime may say while the line is still in our own memory.
  if (input) waiting.push(told.resolve);
  else told.resolve();
  input?.write(`add ${group}\n`);
  return { told: told.promise, lift: () => void input?.write(`del ${group}\n`) };
}

function startedReaper(): ChildProcess | undefined {
  if (guard !== undefined && guard.exitCode === null && guard.signalCode === null) return guard;
  if (process.platform === 'win32' || !existsSync(shell)) return undefined;
  guard = spawn(shell, ['-c', reaperScript], { detached: true, stdio: ['pipe', 'pipe', 'ignore'], cwd: '/', env: {} });
  guard.on('error', (error) => {
    log('guard').warn(`Cannot start the guard of our children: ${error.message}`);
    waitNoMore();
  });
  guard.once('exit', waitNoMore);
  guard.stdin?.on('error', () => undefined);
  guard.stdout?.on('data', (answers: Buffer) => {
    for (const byte of answers) if (byte === newline) waiting.shift()?.();
  });
  guard.unref();
  unrefStream(guard.stdin);
  unrefStream(guard.stdout);
  return guard;
}

function waitNoMore(): void {
  for (const goOn of waiting.splice(0)) goOn();
}

function unrefStream(stream: unknown): void {
  if (typeof stream !== 'object' || stream === null) return;
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}
