import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { Writable } from 'node:stream';
import { pause } from '../deadline.ts';
import { ExpectedError, messageOf, systemCode } from '../errors.ts';
import { BoundedOutput, type BoundedText } from './bounded-output.ts';
import { endGroup, endsWithin, inOwnGroup, isGroupAlive } from './group.ts';
import { type Reaper, reapGroup } from './reaper.ts';

const shell = '/bin/sh';
/** The command begins once we say so, which is when the guard knows of it; if we are gone by then it never does. */
const waitingScript = `read -r started_by_serena <&3 && exec 3<&- && exec ${shell} -c "$1"`;
/** A shell has ended but its output has not: what is silent for so long belongs to processes that it left. */
const quietMs = 250;
const longestDrainMs = 1_000;
const leftoverPollMs = 1_000;

export interface ShellOptions {
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment of the command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Without it the command's stderr is ours. */
  readonly capturesStderr: boolean;
  /** Ends the command and everything it started that is still in its process group. */
  readonly signal: AbortSignal;
}

export interface ShellOutcome {
  readonly stdout: BoundedText;
  /** `undefined` where it was not captured. */
  readonly stderr: BoundedText | undefined;
  /** The exit code; of a shell that a signal ended, the negative number of the signal. */
  readonly returnCode: number;
  /** Whether processes that the command started go on. */
  readonly hasLeftProcesses: boolean;
}

/**
 * Runs `command` in the system's shell (`/bin/sh`, `cmd` on Windows) with an empty stdin, and returns once that shell has
 * ended. What it leaves running in the background goes on, with its output read and dropped, and ends with this process
 * at the latest, unless it has moved to a session of its own.
 *
 * @throws {ExpectedError} `file.not-found`, `file.not-directory` for the working directory or where there is no shell;
 *   `tool.invalid-input` for a command that the system does not take; the signal's reason once it aborts and the command
 *   has ended.
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
  void reaper.told.then(() => release(child));
  const saidBytes = () => stdout.totalBytes + (stderr?.totalBytes ?? 0);
  try {
    const whole = ended.then(async (returnCode) => ({ returnCode, isComplete: await hasSaidAll(closed, saidBytes) }));
    const { returnCode, isComplete } = await Promise.race([whole, aborted(options.signal)]);
    // One that has just closed its output may be on its way out.
    const hasLeftProcesses = !isComplete || !(await endsWithin(group, quietMs));
    return { stdout: stdout.finish(), stderr: stderr?.finish(), returnCode, hasLeftProcesses };
  } catch (error) {
    await endGroup(child);
    throw error;
  } finally {
    liftOnceGone(group, reaper);
  }
}

function start(command: string, { cwd, env, capturesStderr }: ShellOptions): ChildProcess {
  const stdio = ['ignore', 'pipe', capturesStderr ? 'pipe' : 'inherit'] satisfies StdioOptions;
  const options = { cwd, env: { ...env }, stdio, ...inOwnGroup };
  try {
    if (process.platform !== 'win32') {
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
  // A command that was ended meanwhile has closed its side.
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
    return new ExpectedError('file.not-found', `There is no directory \`${cwd}\``, { cause });
  if (!directory.isDirectory())
    return new ExpectedError('file.not-directory', `\`${cwd}\` is not a directory`, { cause });
  if (code === 'EACCES') {
    return new ExpectedError('file.no-permission', `Cannot work in \`${cwd}\`: permission denied`, { cause });
  }
  if (code === 'E2BIG' || code === 'ERR_INVALID_ARG_VALUE') {
    const problem = code === 'E2BIG' ? 'it is longer than the system takes' : 'it contains a NUL character';
    return new ExpectedError('tool.invalid-input', `Cannot run the command: ${problem}`, {
      hints: ['Write a script to a file, and run that'],
      cause,
    });
  }
  return new ExpectedError('shell.not-started', `Cannot start the shell: ${messageOf(cause)}`, { cause });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * Waits for the end of the output of a shell that has ended. Returns false when something else keeps it open, after what
 * was on its way has come.
 */
async function hasSaidAll(closed: Promise<void>, countBytes: () => number): Promise<boolean> {
  let isClosed = false;
  const end = closed.then(() => {
    isClosed = true;
  });
  const deadline = Date.now() + longestDrainMs;
  let before: number;
  do {
    before = countBytes();
    await Promise.race([end, pause(quietMs)]);
    // Timers come before input where both are due.
    if (!isClosed) await new Promise((resolve) => setImmediate(resolve));
  } while (!isClosed && countBytes() > before && Date.now() < deadline);
  return isClosed;
}

/** A group's id can be another's once the group is gone, so the guard must not keep it for long. */
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
