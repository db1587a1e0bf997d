import { createHash } from 'node:crypto';
import { matchLines } from './display.ts';
import { lineAt, lineText } from './lines.ts';
import type { Substitution } from './substitute.ts';
import type { TextLines } from './text-lines.ts';

/**
 * Identifies a match by its file, its index among the matches there, and a hash of the file's content and its range.
 */
export interface OccurrenceId {
  readonly path: string;
  /** Among the matches of the file, 0-based. */
  readonly index: number;
  /** The hash from {@link occurrenceMark}. */
  readonly mark: string;
}

/** Returns a hash of a file's bytes, to pass to {@link occurrenceMark}. */
export function contentDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, markDigits);
}

/** Returns 16 hexadecimal digits that depend on the file's content, whose hash is `content`, and on the range. */
export function occurrenceMark(content: string, { start, end }: { start: number; end: number }): string {
  return createHash('sha256').update(`${content}:${start}:${end}`).digest('hex').slice(0, markDigits);
}

const markDigits = 16;

/** Returns an occurrence's id in the form that clients see. */
export function renderOccurrenceId({ path, index, mark }: OccurrenceId): string {
  return `${path}:${index}@${mark}`;
}

/** Parses an id; `undefined` if it is malformed. */
export function tryParseOccurrenceId(id: string): OccurrenceId | undefined {
  const [, path, index, mark] = /^(.+):(\d{1,9})@([0-9a-f]{16})$/s.exec(id) ?? [];
  if (path === undefined || index === undefined || mark === undefined) return undefined;
  return { path, index: Number(index), mark };
}

/** Renders the id and the first line number of an occurrence as one line. */
export function renderOccurrenceLine(id: string, occurrence: Substitution, lines: TextLines): string {
  return `  [${id}] line ${matchLines(lines.starts, occurrence.start, occurrence.end).first}`;
}

/** Renders an occurrence with its whole lines before and after the replacement. */
export function renderOccurrence(id: string, occurrence: Substitution, lines: TextLines): string {
  const { first, last } = matchLines(lines.starts, occurrence.start, occurrence.end);
  const range = first === last ? `line ${first}` : `lines ${first}-${last}`;
  const warning = occurrence.isAmbiguous ? ' (ambiguous: the match contains another match)' : '';
  const isAtEnd = occurrence.end === lines.text.length;
  const { before, after } = changedLines(sideBefore(occurrence, lines), sideAfter(occurrence, lines), isAtEnd);
  return [`  [${id}] ${range}${warning}`, ...side('-', before), ...side('+', after)].join('\n');
}

/** Lines before or after the replacement, each in parts, so that only the start of a very long line is concatenated. */
interface Side {
  readonly count: number;
  line(index: number): readonly string[];
}

/** Returns the whole lines of a match, including the line on which the text after it begins. */
function sideBefore({ start, end }: Substitution, lines: TextLines): Side {
  const first = lineAt(lines.starts, start);
  return { count: lineAt(lines.starts, end) - first + 1, line: (index) => [lineOf(lines, first + index)] };
}

function sideAfter({ start, end, replacement }: Substitution, lines: TextLines): Side {
  const [first, last] = [lineAt(lines.starts, start), lineAt(lines.starts, end)];
  const parts = replacement.split(/\r\n?|\n/);
  const prefix = lines.text.slice(lines.starts[first] ?? 0, start);
  const suffix = lineOf(lines, last).slice(end - (lines.starts[last] ?? 0));
  return {
    count: parts.length,
    line: (index) => [index === 0 ? prefix : '', parts[index] ?? '', ...(index === parts.length - 1 ? [suffix] : [])],
  };
}

/**
 * Returns both sides without equal lines at their ends, such as the line below a match that ends with a line break. At
 * the end of a file, the empty text after the last line break is not a line.
 */
function changedLines(before: Side, after: Side, isAtEnd: boolean): { before: Side; after: Side } {
  const textOf = ({ line }: Side, index: number) => line(index).join('');
  const countOf = (side: Side) =>
    side.count - (isAtEnd && side.count > 1 && textOf(side, side.count - 1) === '' ? 1 : 0);
  let [left, right] = [countOf(before), countOf(after)];
  while (left + right > 2 && left > 0 && right > 0 && textOf(before, left - 1) === textOf(after, right - 1)) {
    left--;
    right--;
  }
  return { before: { ...before, count: left }, after: { ...after, count: right } };
}

function lineOf({ text, starts }: TextLines, line: number): string {
  return lineText(text, starts, line) ?? '';
}

const maxLines = 6;
const maxLineChars = 200;

function side(prefix: '-' | '+', { count, line }: Side): string[] {
  const shown = Array.from({ length: Math.min(count, maxLines) }, (_, index) => `    ${prefix} ${cut(line(index))}`);
  return count > maxLines ? [...shown, `    … ${count - maxLines} more lines`] : shown;
}

/** Concatenates the parts, cut after 200 characters. */
function cut(parts: readonly string[]): string {
  const sizeChars = parts.reduce((sum, part) => sum + part.length, 0);
  let start = '';
  // A character has at most two code units; the rest is not needed.
  for (const part of parts) start += part.slice(0, 2 * maxLineChars + 2 - start.length);
  const characters = Array.from(start);
  if (characters.length <= maxLineChars) return start;
  const kept = characters.slice(0, maxLineChars).join('');
  return `${kept}… (${sizeChars - kept.length} more characters)`;
}
