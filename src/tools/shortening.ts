import { toJson } from '../text/json.ts';

/** Returns a shortened answer: a line that says what it is, then JSON. */
export function labelled(label: string, value: unknown): string {
  return `${label}:\n${toJson(value)}`;
}

/** Returns how many items each key has, keys in first-seen order. */
export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}
