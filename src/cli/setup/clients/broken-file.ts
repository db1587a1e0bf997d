import { ExpectedError } from '../../../base/errors.ts';

/** Returns the error for a file that cannot be read as what it should be; `line` is 1-based, as editors count. */
export function brokenFile(file: string, line: number, reason: string): ExpectedError {
  return new ExpectedError('config.invalid', `Cannot change \`${file}\`: it is broken at line ${line}: ${reason}`, {
    hints: ['Correct the file, then run this again', 'Add `--print` to see what to put there yourself'],
  });
}
