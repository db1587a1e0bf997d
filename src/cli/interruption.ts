import { constants } from 'node:os';
import { ExpectedError } from '../base/errors.ts';

type TerminationSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

let received: TerminationSignal | undefined;

/** Returns a signal that aborts on the first termination signal; a second one ends the program at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      received ??= signal;
      controller.abort(new ExpectedError('tool.cancelled', `stopped by ${signal}`));
    });
  }
  return controller.signal;
}

/** Returns the shell's exit code for the signal received, such as 130 after Ctrl-C; `undefined` without a signal. */
export function interruptedExitCode(): number | undefined {
  return received === undefined ? undefined : 128 + constants.signals[received];
}
