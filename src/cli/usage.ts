import { ExpectedError } from '../base/errors.ts';

/** Returns the error for a wrong command line that the library does not notice by itself. */
export function usageError(message: string, hints: readonly string[]): ExpectedError {
  return new ExpectedError('usage.invalid', message, { hints });
}
