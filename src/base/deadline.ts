/** Resolves after `delayMs`, or rejects with the signal's reason as soon as `signal` aborts. For polling and backoff only. */
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
 * Settles as `promise` does, but rejects with `onTimeout()` once `timeoutMs` have passed and with the signal's reason
 * once `signal` aborts. The work behind `promise` goes on: the caller stops it.
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
    // Before anything ends this: what `promise` rejects with later is then taken notice of.
    promise.then(
      (value) => finish(() => resolve(value)),
      (error: unknown) => finish(() => reject(error)),
    );
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
