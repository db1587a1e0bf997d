import { type ErrorCode, ExpectedError } from '../base/errors.ts';
import { type Caller, ownCaller } from './caller.ts';

/** Exit codes of the program; see docs/compatibility.md, Command line. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, bug: 70 } as const;

/** Codes of errors in the command line, whichever layer reports them. */
const usageCodes: readonly ErrorCode[] = ['usage.invalid', 'tool.unknown'];

/** Writes an error with its hints to the caller's stderr and returns its exit code. */
export function reportFailure(error: unknown, caller: Caller = ownCaller): number {
  if (!(error instanceof ExpectedError)) {
    const trace = error instanceof Error ? error.stack : String(error);
    caller.report(`error: Internal error (please report):\n${trace}\n`);
    return exitCodes.bug;
  }
  const hints = error.hints.map((hint) => `hint: ${hint}\n`);
  caller.report(`error: ${error.message}\n${hints.length > 0 ? `\n${hints.join('')}` : ''}`);
  return failureCode(error, caller);
}

/** Returns the exit code for an error. */
export function failureCode(error: ExpectedError, caller: Caller = ownCaller): number {
  if (error.code === 'tool.cancelled') return caller.interruptedExitCode() ?? exitCodes.failed;
  return usageCodes.includes(error.code) ? exitCodes.usage : exitCodes.failed;
}
