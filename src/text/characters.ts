import { counted } from '../base/counted.ts';

/** Returns the number of code points in `text`. Limits on the length of answers count code points. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (const _ of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) count--;
  return count;
}

/**
 * Returns `text` with its middle replaced by a line that reports the number of omitted characters, so that about
 * `keptChars` (UTF-16 code units) remain: a quarter from the beginning and the rest from the end, where results and
 * errors are. A text that is not longer is returned unchanged.
 */
export function withoutMiddle(text: string, keptChars: number): string {
  if (text.length <= keptChars) return text;
  const headChars = Math.floor(keptChars / 4);
  const from = outsidePair(text, headChars);
  const to = outsidePair(text, text.length - (keptChars - headChars));
  const omitted = counted(countCharacters(text.slice(from, to)), 'character');
  return `${text.slice(0, from)}\n[… ${omitted} omitted …]\n${text.slice(to)}`;
}

/** Returns `offset`, or the next offset if it is inside a surrogate pair. */
function outsidePair(text: string, offset: number): number {
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff ? offset + 1 : offset;
}
