import { ExpectedError, messageOf } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';

/**
 * Returns the text of the configuration file at absolute `path`, or `undefined` if there is none.
 *
 * @throws {ExpectedError} `config.invalid` for one that is there and cannot be read.
 */
export function readConfigFile(path: string): string | undefined {
  try {
    return readTextIfExists(path);
  } catch (error) {
    throw new ExpectedError('config.invalid', `Cannot read the configuration file \`${path}\`: ${messageOf(error)}`, {
      hints: ['Make it a file that you can read, or remove it'],
      cause: error,
    });
  }
}
