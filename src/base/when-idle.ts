/** Longer than an agent usually takes from one call to the next, so that a conversation rarely pays for a release. */
const idleMs = 30_000;

/**
 * Returns a function to call at each use. `release` runs when the last use is half a minute ago, once until the next use.
 * The wait does not keep the process alive.
 */
export function whenIdle(release: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(release, idleMs);
    timer.unref();
  };
}
