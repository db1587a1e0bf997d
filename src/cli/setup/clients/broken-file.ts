import { ExpectedError } from '../../../base/errors.ts';

/** Parses the configuration file `file`, which may be nested so deeply that a parser fails. */
export function parsing<Content>(file: string, parse: () => Content): Content {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file);
    throw error;
  }
}

/** Returns the error for a configuration file that is nested so deeply that it cannot be parsed or changed. */
export function tooDeep(file: string): ExpectedError {
  return new ExpectedError('config.invalid', `cannot change \`${file}\`: it is nested too deeply`, { hints });
}

const hints = ['correct the file, then retry', 'pass `--print` to see what to add manually'];

/** Returns the error for a configuration file that cannot be parsed; `line` is 1-based. */
export function brokenFile(file: string, line: number, reason: string): ExpectedError {
  return new ExpectedError('config.invalid', `cannot change \`${file}\`: it is not valid at line ${line}: ${reason}`, {
    hints,
  });
}
