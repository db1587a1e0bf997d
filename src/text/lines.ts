/**
 * Lines of a text. A line break is `\n`, `\r\n` or a lone `\r` and nothing else (form feed and U+2028 are ordinary
 * characters), so a text that ends in a break has one more, empty, last line. Lines are 0-based.
 */

/** Returns `text` with every `\r\n` and lone `\r` turned into `\n`. */
export function normalizeNewlines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Returns the offset (UTF-16 code units) at which each line starts; the first is always 0. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  // `indexOf` skips long lines far faster than a loop over code units; `\r` is looked for only where there is one.
  if (text.includes('\r')) {
    for (const found of text.matchAll(/\r\n?|\n/g)) starts.push(found.index + found[0].length);
    return starts;
  }
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the 0-based line that contains `offset`: the last whose start is not after it. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the text of one line without its line break, or `undefined` if there is no such line. */
export function lineText(text: string, starts: readonly number[], line: number): string | undefined {
  const start = starts[line];
  if (start === undefined) return undefined;
  return text.slice(start, lineEnd(text, starts, line));
}

/** Returns the offset of a line's break, or the text's length for the last line and any line after it. */
export function lineEnd(text: string, starts: readonly number[], line: number): number {
  const next = starts[line + 1];
  if (next === undefined) return text.length;
  return next - (text[next - 1] === '\n' && text[next - 2] === '\r' ? 2 : 1);
}

/** Returns the lines of `text` without their breaks. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n?|\n/);
}

/**
 * Returns the lines from `start` up to and including `end`, with the reference's slice rules: negative numbers count
 * from the end, numbers beyond the text are clamped, and an absent `end` means the last line. Joined with `\n`.
 *
 * `end: -1` means the last line as well (`spec/tools.md` §17.6), not an empty slice.
 */
export function sliceLines(text: string, start: number, end: number | undefined): string {
  const lines = splitLines(text);
  return lines.slice(start, end === undefined || end === -1 ? lines.length : end + 1).join('\n');
}
