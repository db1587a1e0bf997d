import { ExpectedError } from '../base/errors.ts';

/** Returns a signal that aborts with the first signal to end; a second one ends the program at once, as it would without us. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => controller.abort(new ExpectedError('tool.cancelled', `Stopped by ${signal}`)));
  }
  return controller.signal;
}
