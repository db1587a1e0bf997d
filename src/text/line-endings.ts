import { normalizeNewlines } from './lines.ts';

export type LineEnding = '\n' | '\r\n' | '\r';

/** Returns the most frequent line ending of `text`, in a tie the one that occurs first; `undefined` if it has none. */
export function dominantEnding(text: string): LineEnding | undefined {
  const counts = new Map<LineEnding, number>();
  for (const [found] of text.matchAll(/\r\n|\n|\r/g)) {
    if (found === '\n' || found === '\r\n' || found === '\r') counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  let best: LineEnding | undefined;
  for (const [ending, count] of counts) if (best === undefined || count > (counts.get(best) ?? 0)) best = ending;
  return best;
}

/** Returns `text` with every line break replaced by `ending`. */
export function withEnding(text: string, ending: LineEnding): string {
  const normalized = normalizeNewlines(text);
  return ending === '\n' ? normalized : normalized.replaceAll('\n', ending);
}

/**
 * Maps offsets in the normalized text to offsets in `raw`, both in UTF-16 code units. `offsets` must be ascending. An
 * offset before a line break is mapped to the offset before the whole line break.
 */
export function rawOffsets(raw: string, offsets: readonly number[]): number[] {
  const found: number[] = [];
  // Number of code units by which `raw` is ahead of the normalized text.
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
