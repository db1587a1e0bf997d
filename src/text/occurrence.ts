import { createHash } from 'node:crypto';
import { lineAt, lineText } from './lines.ts';
import type { Substitution } from './substitute.ts';
import type { TextLines } from './text-lines.ts';

/** What identifies a match: its file, its index among the matches there, and the content and range it was found in. */
export interface OccurrenceId {
  readonly path: string;
  /** Among the matches of the file, 0-based. */
  readonly index: number;
  /** What {@link occurrenceMark} returns. */
  readonly mark: string;
}

/** Returns a digest of a file's bytes, to pass to {@link occurrenceMark}. */
export function contentDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, markDigits);
}

/** Returns 16 hexadecimal digits that change with the file's content (its digest is `content`) and with the range. */
export function occurrenceMark(content: string, { start, end }: { start: number; end: number }): string {
  return createHash('sha256').update(`${content}:${start}:${end}`).digest('hex').slice(0, markDigits);
}

const markDigits = 16;

/** Returns an occurrence's id as clients see it. */
export function renderOccurrenceId({ path, index, mark }: OccurrenceId): string {
  return `${path}:${index}@${mark}`;
}

/** Returns the parts of an id, or `undefined` where it is none. */
export function tryParseOccurrenceId(id: string): OccurrenceId | undefined {
  const [, path, index, mark] = /^(.+):(\d{1,9})@([0-9a-f]{16})$/s.exec(id) ?? [];
  if (path === undefined || index === undefined || mark === undefined) return undefined;
  return { path, index: Number(index), mark };
}

/** The lines that an occurrence begins and ends on, 0-based; a line break belongs to the line that it ends. */
function linesOf({ start, end }: Substitution, { starts }: TextLines): { first: number; last: number } {
  const first = lineAt(starts, start);
  const last = lineAt(starts, end);
  return { first, last: last > first && starts[last] === end ? last - 1 : last };
}

/** Returns one line that says where an occurrence begins. */
export function renderOccurrencePlace(id: string, occurrence: Substitution, lines: TextLines): string {
  return `  [${id}] line ${linesOf(occurrence, lines).first}`;
}

/** Returns the lines that show an occurrence and its whole lines before and after (`spec/tools.md` §8.7). */
export function renderOccurrence(id: string, occurrence: Substitution, lines: TextLines): string {
  const { first, last } = linesOf(occurrence, lines);
  const place = first === last ? `line ${first}` : `lines ${first}-${last}`;
  const warning = occurrence.isAmbiguous ? ' (ambiguous: the match contains another match)' : '';
  const isAtEnd = occurrence.end === lines.text.length;
  const { before, after } = changedLines(sideBefore(occurrence, lines), sideAfter(occurrence, lines), isAtEnd);
  return [`  [${id}] ${place}${warning}`, ...side('-', before), ...side('+', after)].join('\n');
}

/** Lines of one side; each is given in parts, so that of a very long one only the start is ever put together. */
interface Side {
  readonly count: number;
  line(index: number): readonly string[];
}

/** The whole lines of a match, up to the end of the line on which the next text begins. */
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
 * Returns both sides without the lines at their ends that are equal, such as the one below a match that ends with a line
 * break. At the end of a file, what follows its last line break is no line.
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

function side(sign: '-' | '+', { count, line }: Side): string[] {
  const shown = Array.from({ length: Math.min(count, maxLines) }, (_, index) => `    ${sign} ${cut(line(index))}`);
  return count > maxLines ? [...shown, `    … ${count - maxLines} more lines`] : shown;
}

/** Returns the parts together, cut after 200 characters. */
function cut(parts: readonly string[]): string {
  const sizeChars = parts.reduce((sum, part) => sum + part.length, 0);
  let start = '';
  // A character may take two units; what is beyond is not looked at.
  for (const part of parts) start += part.slice(0, 2 * maxLineChars + 2 - start.length);
  const characters = Array.from(start);
  if (characters.length <= maxLineChars) return start;
  const kept = characters.slice(0, maxLineChars).join('');
  return `${kept}… (${sizeChars - kept.length} more characters)`;
}
