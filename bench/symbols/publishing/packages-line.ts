import type { Entry } from './entry.ts';

/**
 * Returns a line with the packages of a table's entries and the numbers of questions (or symbols) about them: a range
 * where contenders were asked different numbers.
 */
export function packagesLine(entries: readonly Entry[], noun: string): string {
  const counted = entries.flatMap(({ packages }) => Object.entries(packages));
  const counts = [...Map.groupBy(counted, ([name]) => name)].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${counts.map(([name, own]) => `${name} (${rangeOf(own.map(([, count]) => count))} ${noun})`).join(', ')}.\n`;
}

function rangeOf(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? `${most}` : `${least} to ${most}`;
}
