import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { pause } from '../../base/deadline.ts';
import { ExpectedError, messageOf, systemCode } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { inOwnGroup, isGroupAlive, signalGroup } from '../../base/process/group.ts';
import { reapGroup } from '../../base/process/reaper.ts';
import type { ServerLink } from './link.ts';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment of the child process; nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path. */
  readonly cwd: string;
}

const stderrTailChars = 2_000;
const exitGraceMs = 1_000;

/** A language server's operating-system process, in a process group of its own that ends with this program. */
export class ServerProcess implements ServerLink {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves with a description of how the process ended. Never rejects. */
  readonly exited: Promise<string>;
  readonly isOurs = true;
  readonly #child: ChildProcess;
  #stderrTail = '';
  #hasExited = false;

  private constructor(child: ChildProcess, input: Writable, output: Readable) {
    this.#child = child;
    this.input = input;
    this.output = output;
    const reaper = child.pid === undefined ? undefined : reapGroup(child.pid);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#hasExited = true;
        // Child processes that the server left in its group end with it.
        if (child.pid !== undefined && isGroupAlive(child.pid)) signalGroup(child, 'SIGKILL');
        reaper?.lift();
        resolve(signal === null ? `exit code ${code}` : `signal ${signal}`);
      });
    });
    // The exit reports a broken pipe; an unhandled error event would end this process, too.
    input.on('error', (error) => log('lsp').debug(`cannot write to a language server: ${messageOf(error)}`));
    child.stderr?.on('data', (chunk: Buffer) => this.#keepStderr(chunk.toString('utf8')));
  }

  /**
   * Starts the process and returns once it runs.
   *
   * @throws {ExpectedError} `server.start-failed` when the program cannot be started.
   */
  static async start(command: ServerCommand): Promise<ServerProcess> {
    const child = spawn(command.command, command.args, {
      cwd: command.cwd,
      env: { ...command.env },
      ...inOwnGroup,
      stdio: 'pipe',
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => reject(startFailure(command, error)));
    });
    return new ServerProcess(child, child.stdin, child.stdout);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return !this.#hasExited;
  }

  /** Returns the end of the server's stderr, trimmed. */
  get stderrTail(): string {
    return this.#stderrTail.trim();
  }

  /** Ends the process group: SIGTERM, then SIGKILL after a second. Resolves once the process has ended. */
  async kill(): Promise<void> {
    if (this.#hasExited) return;
    signalGroup(this.#child, 'SIGTERM');
    await Promise.race([this.exited, pause(exitGraceMs)]);
    if (!this.#hasExited) signalGroup(this.#child, 'SIGKILL');
    await Promise.race([this.exited, pause(exitGraceMs)]);
  }

  #keepStderr(text: string): void {
    this.#stderrTail = (this.#stderrTail + text).slice(-stderrTailChars);
    log('lsp').debug(`[stderr of ${this.#child.pid}] ${text.trimEnd()}`);
  }
}

function startFailure(command: ServerCommand, error: Error): ExpectedError {
  return new ExpectedError('server.start-failed', `cannot start \`${command.command}\`: ${error.message}`, {
    cause: error,
    hints: systemCode(error) === 'ENOENT' ? ['check that the program exists and is executable'] : [],
  });
}
