/**
 * Lines of a text. Only `\n`, `\r\n` and a lone `\r` are line breaks; form feed and U+2028 are ordinary characters. A
 * text that ends with a line break has an empty last line. Lines are 0-based.
 */

/** Returns `text` with every `\r\n` and lone `\r` replaced by `\n`. */
export function normalizeNewlines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Returns the start offsets of all lines (UTF-16 code units); the first is always 0. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  // `indexOf` is far faster on long lines than a loop over code units or a regular expression.
  if (text.includes('\r')) {
    for (const found of text.matchAll(/\r\n?|\n/g)) starts.push(found.index + found[0].length);
    return starts;
  }
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the 0-based line that contains `offset`. */
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

/** Returns the text of one line without its line break, or `undefined` if the line does not exist. */
export function lineText(text: string, starts: readonly number[], line: number): string | undefined {
  const start = starts[line];
  if (start === undefined) return undefined;
  return text.slice(start, lineEnd(text, starts, line));
}

/**
 * Returns the offset of the line break of `line`, or the length of the text for the last line and any line after it.
 */
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
 * Returns the lines from `start` up to and including `end`, joined with `\n`, by the slice rules of the reference:
 * negative numbers count from the end, numbers beyond the text are clamped, and an absent `end` means the last line.
 *
 * `end: -1` also means the last line, not an empty slice (see docs/compatibility.md, Reading and listing files).
 */
export function sliceLines(text: string, start: number, end: number | undefined): string {
  const lines = splitLines(text);
  return lines.slice(start, end === undefined || end === -1 ? lines.length : end + 1).join('\n');
}
