import { ExpectedError } from '../../../base/errors.ts';

/** Returns the error for a configuration file that cannot be parsed; `line` is 1-based. */
export function brokenFile(file: string, line: number, reason: string): ExpectedError {
  return new ExpectedError('config.invalid', `cannot change \`${file}\`: it is not valid at line ${line}: ${reason}`, {
    hints: ['correct the file, then retry', 'pass `--print` to see what to add manually'],
  });
}
