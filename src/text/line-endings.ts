import { normalizeNewlines } from './lines.ts';

export type LineEnding = '\n' | '\r\n' | '\r';

/** Returns the line ending that most lines of `text` have, the earlier one of two that are as frequent. */
export function dominantEnding(text: string): LineEnding | undefined {
  const counts = new Map<LineEnding, number>();
  for (const [found] of text.matchAll(/\r\n|\n|\r/g)) {
    if (found === '\n' || found === '\r\n' || found === '\r') counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  let best: LineEnding | undefined;
  for (const [ending, count] of counts) if (best === undefined || count > (counts.get(best) ?? 0)) best = ending;
  return best;
}

/** Returns `text` with every line break turned into `ending`. */
export function withEnding(text: string, ending: LineEnding): string {
  const normalized = normalizeNewlines(text);
  return ending === '\n' ? normalized : normalized.replaceAll('\n', ending);
}

/**
 * Returns where offsets of the normalized text lie in `raw`, in the order given, which must be ascending. Both are UTF-16
 * code units; an offset before a line break stays before all of it.
 */
export function rawOffsets(raw: string, offsets: readonly number[]): number[] {
  const found: number[] = [];
  // How many units the breaks seen so far have more than one.
  let surplus = 0;
  let from = 0;
  let next = raw.indexOf('\r\n');
  for (const offset of offsets) {
    while (next !== -1 && next - surplus < offset) {
      surplus++;
      from = next + 2;
      next = raw.indexOf('\r\n', from);
    }
    found.push(offset + surplus);
  }
  return found;
}
