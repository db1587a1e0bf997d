const parentPollMs = 1_000;

/** Calls `onDeath` once the parent process has died: another process may keep the pipes to it open. */
export function watchParent(onDeath: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onDeath();
  }, parentPollMs);
  timer.unref();
}
