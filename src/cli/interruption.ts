import { constants } from 'node:os';
import { ExpectedError } from '../base/errors.ts';

type EndingSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

let received: EndingSignal | undefined;

/** Returns a signal that aborts with the first signal to end; a second one ends the program at once, as it would without us. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      received ??= signal;
      controller.abort(new ExpectedError('tool.cancelled', `Stopped by ${signal}`));
    });
  }
  return controller.signal;
}

/** Returns the exit code of a program that a signal ended, as shells count: 130 after Ctrl-C; `undefined` without a signal. */
export function interruptedExitCode(): number | undefined {
  return received === undefined ? undefined : 128 + constants.signals[received];
}
