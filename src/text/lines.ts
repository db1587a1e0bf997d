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

/** Returns the length of the byte order mark that `text` begins with: 0 or 1. */
export function markLength(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0;
}

/** How a text is indented: by tabs, or by a number of spaces. */
interface Indentation {
  /** Columns of one level. */
  readonly size: number;
  readonly isTab: boolean;
}

/** Returns the indentation of the first indented line of `text`; `undefined` if there is none. */
export function indentationOf(text: string): Indentation | undefined {
  const indent = /^(?: {2,8}|\t)(?=\S)/m.exec(text)?.[0];
  if (indent === undefined) return undefined;
  return indent === '\t' ? { size: 4, isTab: true } : { size: indent.length, isTab: false };
}
