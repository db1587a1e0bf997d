/** Returns how many code points `text` has: what answers' limits are counted in (`spec/tools.md` §6.1). */
export function countCharacters(text: string): number {
  let count = text.length;
  for (const _ of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) count--;
  return count;
}

/**
 * Returns `text` with its middle replaced by a line that says how many characters are gone, so that about `keptChars`
 * (UTF-16 code units) are left: a quarter of them from the beginning, the rest from the end, where results and errors
 * stand. A text that is no longer than that comes back as it is.
 */
export function withoutMiddle(text: string, keptChars: number): string {
  if (text.length <= keptChars) return text;
  const headChars = Math.floor(keptChars / 4);
  const from = outsidePair(text, headChars);
  const to = outsidePair(text, text.length - (keptChars - headChars));
  const left = countCharacters(text.slice(from, to));
  return `${text.slice(0, from)}\n[… ${left} characters left out …]\n${text.slice(to)}`;
}

/** Returns `offset`, or the next one where it is within a surrogate pair. */
function outsidePair(text: string, offset: number): number {
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff ? offset + 1 : offset;
}
