import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { log } from '../log.ts';

/**
 * Ends the registered process groups as soon as its stdin closes, with SIGTERM and a second later SIGKILL. The kernel
 * closes the pipe however this program dies, `kill -9` included. The script runs in its own session, so that a signal
 * to this program's process group does not reach it. It confirms each registered group with an empty line. There is no
 * `--` before the group because dash, Debian's `/bin/sh`, would then refuse to kill at all.
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
let reaper: ChildProcess | undefined;
/** Callbacks for the reaper's confirmations, in the order of the registrations. */
const waiting: (() => void)[] = [];
const newline = 0x0a;

/** The registration of a process group with the reaper. */
export interface Reaper {
  /** Resolves once the reaper has confirmed the group, or is gone. Never rejects. */
  readonly registered: Promise<void>;
  /** Removes the group; to be called once the group has ended. */
  lift(): void;
}

/**
 * Registers the process group `group` with the reaper, so that it does not outlive this process.
 *
 * Without `/bin/sh` (Windows, minimal containers) nothing is registered: children then have to notice by themselves
 * that this process has died, for example by the end of their stdin.
 */
export function reapGroup(group: number): Reaper {
  const input = startedReaper()?.stdin;
  const registered = Promise.withResolvers<void>();
  // Waits for the confirmation: the runtime may report a write as done while the line is still in its own buffer.
  if (input) waiting.push(registered.resolve);
  else registered.resolve();
  input?.write(`add ${group}\n`);
  return { registered: registered.promise, lift: () => void input?.write(`del ${group}\n`) };
}

function startedReaper(platform = process.platform): ChildProcess | undefined {
  if (reaper !== undefined && reaper.exitCode === null && reaper.signalCode === null) return reaper;
  if (platform === 'win32' || !existsSync(shell)) return undefined;
  reaper = spawn(shell, ['-c', reaperScript], { detached: true, stdio: ['pipe', 'pipe', 'ignore'], cwd: '/', env: {} });
  reaper.on('error', (error) => {
    log('reaper').warn(`cannot start the reaper of child processes: ${error.message}`);
    resolveWaiting();
  });
  reaper.once('exit', resolveWaiting);
  reaper.stdin?.on('error', () => undefined);
  reaper.stdout?.on('data', (answers: Buffer) => {
    for (const byte of answers) if (byte === newline) waiting.shift()?.();
  });
  reaper.unref();
  unrefStream(reaper.stdin);
  unrefStream(reaper.stdout);
  return reaper;
}

function resolveWaiting(): void {
  for (const resolve of waiting.splice(0)) resolve();
}

function unrefStream(stream: unknown): void {
  if (typeof stream !== 'object' || stream === null) return;
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}
