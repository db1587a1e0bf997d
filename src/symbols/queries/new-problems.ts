import type { Diagnostic } from '../../lsp/features/diagnostic.ts';

/** What a server finds in a file, with the text it was asked about. */
export interface FileProblems {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** Line breaks are `\n`. */
  readonly text: string;
  readonly problems: readonly Diagnostic[];
}

/**
 * Returns those of the problems after an edit that were not there before it, in their order. A problem that an edit above
 * it moved to another line is not new; nor is one inside the edited lines that says what one there said before.
 */
export function newProblems(before: FileProblems, after: FileProblems): Diagnostic[] {
  const unedited = uneditedLines(before.text.split('\n'), after.text.split('\n'));
  const known = new Map<string, number>();
  for (const problem of before.problems) {
    const key = keyOf(problem, { ...unedited, count: unedited.countBefore });
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  return after.problems.filter((problem) => {
    const key = keyOf(problem, { ...unedited, count: unedited.countAfter });
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}

interface Unedited {
  /** How many lines at the start, and at the end, are the same before and after. */
  readonly first: number;
  readonly last: number;
}

function uneditedLines(
  before: readonly string[],
  after: readonly string[],
): Unedited & { countBefore: number; countAfter: number } {
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && before[first] === after[first]) first++;
  let last = 0;
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last++;
  return { first, last, countBefore: before.length, countAfter: after.length };
}

/** Lines that an edit leaves alone are counted from the end that it leaves alone; inside it places say nothing. */
function keyOf(problem: Diagnostic, { first, last, count }: Unedited & { count: number }): string {
  const { range, message, severity, code, source } = problem;
  const place = ({ line, character }: Diagnostic['range']['start']) => {
    if (line < first) return [line, character];
    return line >= count - last ? [line - count, character] : [];
  };
  return JSON.stringify([place(range.start), place(range.end), severity, code, source, message]);
}
