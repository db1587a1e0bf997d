import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { type Readable, Writable } from 'node:stream';
import { pause } from '../deadline.ts';
import { ExpectedError, messageOf, systemCode } from '../errors.ts';
import { endGroup, endsWithin, inOwnGroup, isGroupAlive } from './group.ts';
import { type Reaper, reapGroup } from './reaper.ts';

const shell = '/bin/sh';
/** Starts the command only after a line on descriptor 3, which is sent once the reaper has registered its group. */
const waitingScript = `read -r started_by_serena <&3 && exec 3<&- && exec ${shell} -c "$1"`;
/** If a shell has ended and its output stays open but silent this long, background processes hold the output open. */
const quietMs = 250;
const longestDrainMs = 1_000;
const leftoverPollMs = 1_000;

export interface ShellOptions {
  /** Absolute path. */
  readonly cwd: string;
  /** The complete environment of the command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** False to let the command inherit this process's stderr. */
  readonly capturesStderr: boolean;
  /** Ends the command and all processes that are still in its process group. */
  readonly signal: AbortSignal;
}

export interface ShellOutcome {
  readonly stdout: BoundedText;
  /** `undefined` if it was not captured. */
  readonly stderr: BoundedText | undefined;
  /** The exit code; the negative signal number if a signal ended the shell. */
  readonly returnCode: number;
  /** True if the command left processes running. */
  readonly hasLeftProcesses: boolean;
}

/**
 * Runs `command` in the system's shell (`/bin/sh`, `cmd` on Windows) with an empty stdin, and returns once the shell
 * has ended. Processes that it leaves in the background keep running, with their output read and dropped, until this
 * process ends, unless they have moved to another session.
 *
 * @throws {ExpectedError} `file.not-found`, `file.not-directory`, `file.no-permission` for the working directory;
 *   `tool.invalid-input` for a command that the system rejects; `shell.not-started`; the signal's reason, once it has
 *   aborted and the command has ended.
 */
export async function runShell(command: string, options: ShellOptions): Promise<ShellOutcome> {
  options.signal.throwIfAborted();
  const child = start(command, options);
  const stdout = new BoundedOutput(child.stdout);
  const stderr = child.stderr === null ? undefined : new BoundedOutput(child.stderr);
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 0) : -constants.signals[signal]));
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const group = await startedGroup(child, options.cwd);
  const reaper = reapGroup(group);
  void reaper.registered.then(() => release(child));
  const outputBytes = () => stdout.totalBytes + (stderr?.totalBytes ?? 0);
  try {
    const whole = ended.then(async (returnCode) => ({ returnCode, isComplete: await drain(closed, outputBytes) }));
    const { returnCode, isComplete } = await Promise.race([whole, aborted(options.signal)]);
    // A process that has just closed its output may be about to end.
    const hasLeftProcesses = !isComplete || !(await endsWithin(group, quietMs));
    return { stdout: stdout.finish(), stderr: stderr?.finish(), returnCode, hasLeftProcesses };
  } catch (error) {
    await endGroup(child);
    throw error;
  } finally {
    liftOnceGone(group, reaper);
  }
}

function start(command: string, { cwd, env, capturesStderr }: ShellOptions, platform = process.platform): ChildProcess {
  const stdio = ['ignore', 'pipe', capturesStderr ? 'pipe' : 'inherit'] satisfies StdioOptions;
  const options = { cwd, env: { ...env }, stdio, ...inOwnGroup };
  try {
    if (platform !== 'win32') {
      return spawn(shell, ['-c', waitingScript, shell, command], { ...options, stdio: [...stdio, 'pipe'] });
    }
    const args = ['/d', '/s', '/c', `"${command}"`];
    return spawn(env.ComSpec ?? 'cmd.exe', args, { ...options, windowsVerbatimArguments: true });
  } catch (error) {
    throw startFailure(cwd, error);
  }
}

function release({ stdio: [, , , go] }: ChildProcess): void {
  if (!(go instanceof Writable)) return;
  // A command that has been ended in the meantime has closed its side.
  go.on('error', () => undefined);
  go.end('\n');
}

/** Returns the id of the process group that `child` leads, once it runs. */
function startedGroup(child: ChildProcess, cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(startFailure(cwd, error)));
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
}

function startFailure(cwd: string, cause: unknown): ExpectedError {
  const code = systemCode(cause);
  const directory = statSync(cwd, { throwIfNoEntry: false });
  if (directory === undefined)
    return new ExpectedError('file.not-found', `directory \`${cwd}\` does not exist`, { cause });
  if (!directory.isDirectory())
    return new ExpectedError('file.not-directory', `\`${cwd}\` is not a directory`, { cause });
  if (code === 'EACCES') {
    return new ExpectedError('file.no-permission', `cannot run a command in \`${cwd}\`: permission denied`, { cause });
  }
  if (code === 'E2BIG' || code === 'ERR_INVALID_ARG_VALUE') {
    const problem = code === 'E2BIG' ? 'it is longer than the system allows' : 'it contains a NUL character';
    return new ExpectedError('tool.invalid-input', `cannot run the command: ${problem}`, {
      hints: ['write the command to a script file and run that file'],
      cause,
    });
  }
  return new ExpectedError('shell.not-started', `cannot start the shell: ${messageOf(cause)}`, { cause });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * Reads the remaining output of a shell that has ended. Returns false if another process keeps the output open.
 */
async function drain(closed: Promise<void>, countBytes: () => number): Promise<boolean> {
  let isClosed = false;
  const end = closed.then(() => {
    isClosed = true;
  });
  const deadline = performance.now() + longestDrainMs;
  let before: number;
  do {
    before = countBytes();
    await Promise.race([end, pause(quietMs)]);
    // Timers run before I/O callbacks when both are due.
    if (!isClosed) await new Promise((resolve) => setImmediate(resolve));
  } while (!isClosed && countBytes() > before && performance.now() < deadline);
  return isClosed;
}

/** Unregisters the group soon after it has ended, because the system may reuse its id. */
function liftOnceGone(group: number, reaper: Reaper): void {
  if (!isGroupAlive(group)) {
    reaper.lift();
    return;
  }
  const timer = setInterval(() => {
    if (isGroupAlive(group)) return;
    clearInterval(timer);
    reaper.lift();
  }, leftoverPollMs);
  timer.unref();
}

/** Output of a stream: its beginning and end, and the number of bytes dropped between them. */
interface BoundedText {
  /** Decoded as UTF-8, invalid bytes as U+FFFD. A separate line reports omitted bytes. */
  readonly text: string;
  readonly omittedBytes: number;
}

// With the copies made on the way to the client, this stays below the memory that one language server uses.
const maxHeadBytes = 1024 * 1024;
const maxTailBytes = 3 * 1024 * 1024;

/** Collects the beginning and the end of a stream's output in bounded memory. */
export class BoundedOutput {
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #totalBytes = 0;
  #isOver = false;

  /** Reads `stream` until it is closed, even after {@link finish}: its writer must not block or get `EPIPE`. */
  constructor(stream: Readable | null) {
    stream?.on('data', (chunk: Buffer) => this.#add(chunk));
    // A broken pipe is treated as the end of the output.
    stream?.on('error', () => undefined);
  }

  /** Number of bytes received so far, dropped ones included. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Returns the collected output. Bytes that arrive later are dropped. */
  finish(): BoundedText {
    this.#isOver = true;
    const head = Buffer.concat(this.#head);
    const kept = Buffer.concat(this.#tail);
    this.#tail = [];
    const skipped = Math.max(0, kept.length - maxTailBytes);
    if (this.#totalBytes === head.length + kept.length && skipped === 0) {
      return { text: decoded(Buffer.concat([head, kept])), omittedBytes: 0 };
    }
    // Neither part is cut inside a character.
    const before = head.subarray(0, head.length - unfinishedBytes(head));
    const after = kept.subarray(skipped + continuationBytes(kept.subarray(skipped)));
    const omittedBytes = this.#totalBytes - before.length - after.length;
    return { text: `${decoded(before)}\n[… ${omittedBytes} bytes omitted …]\n${decoded(after)}`, omittedBytes };
  }

  #add(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    if (this.#isOver) return;
    const room = maxHeadBytes - this.#headBytes;
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headBytes += Math.min(room, chunk.length);
    }
    if (chunk.length <= room) return;
    const rest = chunk.subarray(Math.max(0, room));
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Halved when full instead of trimmed for each chunk, which would copy the tail each time.
    if (this.#tailBytes > 2 * maxTailBytes) this.#dropOldest();
  }

  #dropOldest(): void {
    const kept = Buffer.concat(this.#tail).subarray(-maxTailBytes);
    // Copied, because a view would keep the whole buffer in memory.
    this.#tail = [Buffer.from(kept)];
    this.#tailBytes = kept.length;
  }
}

function decoded(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Returns the number of bytes at the end that belong to an incomplete character. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return characterBytes(byte) > back ? back : 0;
  }
  return 0;
}

function characterBytes(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** Returns the number of bytes at the start that belong to a character whose first byte is missing. */
function continuationBytes(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}
