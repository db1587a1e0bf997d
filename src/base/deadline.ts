/** Resolves after `delayMs`, or rejects with the signal's reason once `signal` aborts. For polling and backoff only. */
export function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Settles like `promise`, but rejects with `onTimeout()` after `timeoutMs` and with the signal's reason once `signal`
 * aborts. The work behind `promise` continues: stopping it is up to the caller.
 */
export function within<T>(
  promise: Promise<T>,
  limits: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined; onTimeout: () => Error },
): Promise<T> {
  const { timeoutMs, signal, onTimeout } = limits;
  return new Promise((resolve, reject) => {
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => finish(() => reject(onTimeout())), timeoutMs);
    const onAbort = () => finish(() => reject(signal?.reason));
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    // Subscribe first, so that a late rejection is never unhandled.
    promise.then(
      (value) => finish(() => resolve(value)),
      (error: unknown) => finish(() => reject(error)),
    );
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
