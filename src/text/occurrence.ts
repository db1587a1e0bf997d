import { createHash } from 'node:crypto';
import { lineAt, lineText } from './lines.ts';
import type { Substitution } from './substitute.ts';
import type { TextLines } from './text-lines.ts';

/** How one match is told apart from all others of a project: by its file, its place among those, and its text. */
export interface OccurrenceId {
  readonly path: string;
  /** Among the matches of the file, 0-based. */
  readonly index: number;
  /** What {@link textMark} makes of the matched text. */
  readonly mark: string;
}

/** Returns six hexadecimal digits that change when a matched text does. */
export function textMark(matched: string): string {
  return createHash('sha1').update(matched, 'utf8').digest('hex').slice(0, 6);
}

/** Returns an occurrence's id as clients see it. */
export function renderOccurrenceId({ path, index, mark }: OccurrenceId): string {
  return `${path}:${index}@${mark}`;
}

/** Returns the parts of an id, or `undefined` where it is none. */
export function tryParseOccurrenceId(id: string): OccurrenceId | undefined {
  const [, path, index, mark] = /^(.+):(\d{1,9})@([0-9a-f]{6})$/s.exec(id) ?? [];
  if (path === undefined || index === undefined || mark === undefined) return undefined;
  return { path, index: Number(index), mark };
}

/** The lines that an occurrence begins and ends on, 0-based. */
function linesOf({ start, end }: Substitution, { starts }: TextLines): { first: number; last: number } {
  return { first: lineAt(starts, start), last: lineAt(starts, end) };
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
  const before = { count: last - first + 1, line: (index: number) => [lineOf(lines, first + index)] };
  return [
    `  [${id}] ${place}${warning}`,
    ...side('-', before),
    ...side('+', linesAfter(occurrence, lines, { first, last })),
  ].join('\n');
}

/** Lines of one side; each is given in parts, so that of a very long one only the start is ever put together. */
interface Side {
  readonly count: number;
  line(index: number): readonly string[];
}

function linesAfter(
  { start, end, replacement }: Substitution,
  lines: TextLines,
  { first, last }: { first: number; last: number },
): Side {
  const parts = replacement.split(/\r\n?|\n/);
  const prefix = lines.text.slice(lines.starts[first] ?? 0, start);
  const suffix = lineOf(lines, last).slice(end - (lines.starts[last] ?? 0));
  return {
    count: parts.length,
    line: (index) => [index === 0 ? prefix : '', parts[index] ?? '', ...(index === parts.length - 1 ? [suffix] : [])],
  };
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
