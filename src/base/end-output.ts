import { systemCode } from './errors.ts';

/**
 * Ends stdout and resolves once its reader has read all of it or has closed it. A pipe buffers 64 KiB, and a program that
 * exits earlier loses the rest. Resolves with the error if writing failed, for example on a full disk.
 */
export function endOutput(): Promise<Error | undefined> {
  return new Promise((resolve) => {
    // A reader that stops early, such as `head`, is no failure.
    process.stdout.once('error', (error: Error) => resolve(systemCode(error) === 'EPIPE' ? undefined : error));
    process.stdout.end(() => resolve(undefined));
  });
}
