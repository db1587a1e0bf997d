import { systemCode } from './errors.ts';

/** The first failed write to stdout, and whether its reader has closed it. */
const failed: { error?: Error; isClosed: boolean } = { isClosed: false };

/**
 * Keeps failed writes to stdout and stderr from ending this process with a stack trace. A reader that stops early, such
 * as `head`, is no failure; {@link endOutput} reports the others.
 */
export function guardOutput(): void {
  process.stdout.on('error', noteFailure);
  process.stderr.on('error', () => undefined);
}

/** True if the reader of stdout has closed it, after {@link guardOutput}: nobody waits for further output. */
export function isOutputClosed(): boolean {
  return failed.isClosed;
}

/**
 * Ends stdout and resolves once its reader has read all of it or has closed it. A pipe buffers 64 KiB, and a program that
 * exits earlier loses the rest. Resolves with the error if writing failed, for example on a full disk.
 */
export function endOutput(): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const end = () => resolve(failed.error);
    process.stdout.once('error', (error: Error) => {
      noteFailure(error);
      end();
    });
    if (failed.isClosed || failed.error !== undefined) end();
    else process.stdout.end(end);
  });
}

function noteFailure(error: Error): void {
  if (systemCode(error) === 'EPIPE') failed.isClosed = true;
  else failed.error ??= error;
}
