import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';

/** Resolves with the name of the signal that is to end this process. From now on, errors that nobody handles are logged. */
export function terminationSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
    process.on('uncaughtException', (error) => log('cli').error(`Uncaught: ${error.stack ?? messageOf(error)}`));
    process.on('unhandledRejection', (error) => log('cli').error(`Unhandled: ${messageOf(error)}`));
  });
}
