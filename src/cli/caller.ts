import { readFileSync } from 'node:fs';
import type { Call } from '../base/call.ts';
import { endOutput } from '../base/end-output.ts';
import { styled, visibleText } from '../base/visible-text.ts';
import type { Session } from '../session/session.ts';
import type { Answer } from '../tools/tool.ts';
import { interruptedExitCode, interruption } from './interruption.ts';

/** A tool and its arguments. */
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
  /** Calls a tool. @throws what the tool throws. */
  call(session: Session, request: ToolRequest, call: Call): Promise<Answer>;
}

/** This process. */
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
