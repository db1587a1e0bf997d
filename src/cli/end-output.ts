import { systemCode } from '../base/errors.ts';

/**
 * Ends our stdout and resolves once whoever reads it has taken all of it, or has closed it: a pipe takes 64 KiB at once, and
 * a program that ends throws away the rest. Resolves with the error where it could not be written, to a full disk.
 */
export function endOutput(): Promise<Error | undefined> {
  return new Promise((resolve) => {
    // A reader that has seen enough, such as `head`, is no failure.
    process.stdout.once('error', (error: Error) => resolve(systemCode(error) === 'EPIPE' ? undefined : error));
    process.stdout.end(() => resolve(undefined));
  });
}
