import { type ErrorCode, ExpectedError } from '../base/errors.ts';
import { interruptedExitCode } from './interruption.ts';

/** Exit codes of the program; see docs/compatibility.md, Command line. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, bug: 70 } as const;

/** Codes of errors in the command line, whichever layer reports them. */
const usageCodes: readonly ErrorCode[] = ['usage.invalid', 'tool.unknown'];

/** Writes an error with its hints to stderr and returns its exit code. */
export function reportFailure(error: unknown): number {
  if (!(error instanceof ExpectedError)) {
    const trace = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`error: Internal error (please report):\n${trace}\n`);
    return exitCodes.bug;
  }
  const hints = error.hints.map((hint) => `hint: ${hint}\n`);
  process.stderr.write(`error: ${error.message}\n${hints.length > 0 ? `\n${hints.join('')}` : ''}`);
  return failureCode(error);
}

/** Returns the exit code for an error. */
export function failureCode(error: ExpectedError): number {
  if (error.code === 'tool.cancelled') return interruptedExitCode() ?? exitCodes.failed;
  return usageCodes.includes(error.code) ? exitCodes.usage : exitCodes.failed;
}
