import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Call } from '../base/call.ts';
import { endOutput } from '../base/end-output.ts';
import { ExpectedError } from '../base/errors.ts';
import { styled, visibleText } from '../base/visible-text.ts';
import type { Session } from '../session/session.ts';
import type { Answer } from '../tools/tool.ts';

export interface ToolRequest {
  readonly tool: string;
  readonly args: unknown;
}

/** The process on whose behalf a command runs: its streams, files and signals. */
export interface Caller {
  /** True if its stderr is a terminal. */
  readonly hasTerminal: boolean;
  /** Returns a text in a color if its stderr shows colors. `NO_COLOR` and `FORCE_COLOR` count as everywhere. */
  highlight(color: 'red' | 'cyan', text: string): string;
  /** Writes a text for people or JSON to its stdout, with visible control characters. */
  print(text: string): void;
  /** Writes a text for people to its stderr, with visible control characters. */
  report(text: string): void;
  /** Returns the text of the file at an absolute path, or of its stdin for `-`. @throws {Error} if it cannot be read. */
  read(path: string): Promise<string>;
  /** Returns a signal that aborts when it receives a termination signal. */
  interruption(): AbortSignal;
  /** Returns the shell's exit code for the signal received; `undefined` without a signal. */
  interruptedExitCode(): number | undefined;
  /** Ends stdout; resolves with the error if writing failed. */
  endOutput(): Promise<Error | undefined>;
  call(session: Session, request: ToolRequest, call: Call): Promise<Answer>;
}

export const ownCaller: Caller = {
  get hasTerminal() {
    return process.stderr.isTTY;
  },
  highlight: (color, text) => styled(color, text, process.stderr),
  print: (text) => void process.stdout.write(visibleText(text)),
  report: (text) => void process.stderr.write(visibleText(text)),
  read: async (path) => readFileSync(path === '-' ? 0 : path, 'utf8'),
  interruption,
  interruptedExitCode,
  endOutput,
  call: (session, { tool, args }, call) => session.call(tool, args, call),
};

type TerminationSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

let received: TerminationSignal | undefined;

/** Returns a signal that aborts on the first termination signal; a second one ends the program at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      received ??= signal;
      controller.abort(new ExpectedError('tool.cancelled', `stopped by ${signal}`));
    });
  }
  return controller.signal;
}

/** Returns the shell's exit code for the signal received, such as 130 after Ctrl-C; `undefined` without a signal. */
export function interruptedExitCode(): number | undefined {
  return received === undefined ? undefined : 128 + constants.signals[received];
}
