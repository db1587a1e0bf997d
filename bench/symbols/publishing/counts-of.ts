/** Returns how many of the answers have each verdict. */
export function countsOf(own: readonly { readonly verdict: string }[]): Record<string, number> {
  const byVerdict = Map.groupBy(own, ({ verdict }) => verdict);
  return Object.fromEntries([...byVerdict].map(([verdict, list]) => [verdict, list.length]));
}
