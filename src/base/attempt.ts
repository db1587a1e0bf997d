/** Returns what `work` returns, or `otherwise` if it throws, whatever the error is. */
export function attempt<T, Other>(work: () => T, otherwise: Other): T | Other {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
