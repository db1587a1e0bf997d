import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 25;

/**
 * Calls `probe` until it returns something other than `undefined` and `false`, and returns that.
 *
 * @throws {Error} that names `what` after `timeoutMs`, with the last error of `probe` as its cause.
 */
export async function eventually<T>(
  what: string,
  probe: () => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<Exclude<T, undefined | false>> {
  const deadline = Date.now() + timeoutMs;
  let cause: unknown;
  do {
    try {
      const found = await probe();
      if (isFound(found)) return found;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await pause(pollMs);
  } while (Date.now() < deadline);
  throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`, { cause });
}

function isFound<T>(found: T): found is Exclude<T, undefined | false> {
  return found !== undefined && found !== false;
}
