import type { Entry } from './entry.ts';

/** Returns a line with the packages of a table's entries and the numbers of questions (or symbols) about them. */
export function packagesLine(entries: readonly Entry[], noun: string): string {
  const counts = new Map<string, number>();
  for (const [name, count] of entries.flatMap(({ packages }) => Object.entries(packages))) {
    counts.set(name, Math.max(count, counts.get(name) ?? 0));
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${sorted.map(([name, count]) => `${name} (${count} ${noun})`).join(', ')}.\n`;
}
