import { type RunOptions, run } from '../../../scripts/support/run.ts';
import type { Work } from '../model.ts';

/** Counts the calls of a scripted agent, and what it writes and reads. */
export class Recorder {
  #calls = 0;
  #charsIn = 0;
  #charsOut = 0;
  readonly #startedAt = performance.now();

  /** Runs a command as an agent runs it in a shell, and returns its exit code and all that it printed. */
  async run(
    command: string,
    args: readonly string[],
    options: RunOptions & { readonly cwd: string },
  ): Promise<{ exitCode: number; output: string }> {
    const { exitCode, stdout, stderr } = await run(command, args, options);
    // Other directories would be other lengths.
    const output = (stdout + stderr).replaceAll(options.cwd, '/home/user/project');
    this.record([command, ...args].join(' '), output);
    return { exitCode, output };
  }

  /** Counts a call that was made elsewhere. */
  record(written: string, read: string): void {
    this.#calls += 1;
    this.#charsIn += written.length;
    this.#charsOut += read.length;
  }

  /** Returns what was done; `said` are the agent's last words. */
  work(claim: Work['claim'], said = ''): Work {
    const ms = performance.now() - this.#startedAt;
    return { claim, said, calls: this.#calls, charsIn: this.#charsIn, charsOut: this.#charsOut, ms };
  }
}
