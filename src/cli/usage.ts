import { ExpectedError } from '../base/errors.ts';

/** Returns the error for an invalid command line that commander does not detect. */
export function usageError(message: string, hints: readonly string[]): ExpectedError {
  return new ExpectedError('usage.invalid', message, { hints });
}
