import { type ErrorCode, ExpectedError } from '../base/errors.ts';
import { interruptedExitCode } from './interruption.ts';

/** Exit codes of the program (`spec/codebase.md` §10). */
export const exitCodes = { ok: 0, failed: 1, usage: 2, bug: 70 } as const;

/** Errors of the command line, whoever finds them. */
const usageCodes: readonly ErrorCode[] = ['usage.invalid', 'tool.unknown'];

/** Writes a failure to stderr, for a person, and returns the exit code that goes with it. */
export function reportFailure(error: unknown): number {
  if (!(error instanceof ExpectedError)) {
    const trace = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`error: A fault of this program:\n${trace}\n`);
    return exitCodes.bug;
  }
  const hints = error.hints.map((hint) => `hint: ${hint}\n`);
  process.stderr.write(`error: ${error.message}\n${hints.length > 0 ? `\n${hints.join('')}` : ''}`);
  if (error.code === 'tool.cancelled') return interruptedExitCode() ?? exitCodes.failed;
  return usageCodes.includes(error.code) ? exitCodes.usage : exitCodes.failed;
}
