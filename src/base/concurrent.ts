/** Runs `work` on every item, at most `limit` at a time, and returns the results in the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>();
  const queue = items.entries();
  const runners = Array.from({ length: Math.min(limit, items.length) }, async () => {
    for (const [index, item] of queue) results.set(index, await work(item));
  });
  await Promise.all(runners);
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
