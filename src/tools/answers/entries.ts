/**
 * The entries of an answer's value, which are shown whole or not at all: the items of its lists, whatever objects the
 * lists are in. Anything else that is not an object with content is one entry.
 */

/** Returns the number of entries of a value. */
export function countEntries(value: unknown): number {
  if (Array.isArray(value)) return Math.max(1, value.length);
  const parts = partsOf(value);
  return Math.max(
    1,
    parts.reduce((sum, [, part]) => sum + countEntries(part), 0),
  );
}

/** Returns `value` with only its entries from number `from` up to but not including `to`. */
export function sliceEntries(value: unknown, from: number, to: number): unknown {
  if (Array.isArray(value)) return value.slice(Math.max(0, from), Math.max(0, to));
  const parts = partsOf(value);
  if (parts.length === 0) return value;
  const kept: [string, unknown][] = [];
  let first = 0;
  for (const [key, part] of parts) {
    const next = first + countEntries(part);
    if (first < to && next > from) kept.push([key, sliceEntries(part, from - first, to - first)]);
    first = next;
  }
  return Object.fromEntries(kept);
}

/** Returns what an object contains, without what JSON leaves out. */
function partsOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).filter(([, part]) => part !== undefined);
}
