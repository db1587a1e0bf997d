import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';

/** A server's diagnostics of a file, with the text that they refer to. */
export interface FileProblems {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** With `\n` line breaks. */
  readonly text: string;
  readonly problems: readonly Diagnostic[];
}

/** A problem of one file; its range is that of the text after the edit. */
export interface FileProblem {
  /** Project-relative path with `/`. */
  readonly file: string;
  readonly diagnostic: Diagnostic;
}

/** Errors and warnings are reported after edits; information and hints concern style. */
const leastSevere = 2;

/** True if edits that cause the problem report it. */
export function isReported({ severity }: Diagnostic): boolean {
  return (severity ?? leastSevere) <= leastSevere;
}

/** The problems of a file before and after an edit. */
export interface ComparedProblems {
  readonly before: FileProblems;
  readonly after: FileProblems;
  /** Those after the edit that did not exist before it. */
  readonly added: readonly Diagnostic[];
}

/**
 * Returns the problems after an edit that did not exist before it, in their order. A problem that only moved to another
 * line is not new; nor is one inside the edited lines that equals an earlier one there. Messages are equal if
 * `messageOf` makes them so: they may contain a name that the edit replaces.
 */
export function newProblems(
  before: FileProblems,
  after: FileProblems,
  messageOf = (message: string): string => message,
): Diagnostic[] {
  const unedited = uneditedLines(before.text.split('\n'), after.text.split('\n'));
  const known = new Map<string, number>();
  for (const problem of before.problems) {
    const key = keyOf(problem, { ...unedited, count: unedited.countBefore, messageOf });
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  return after.problems.filter((problem) => {
    const key = keyOf(problem, { ...unedited, count: unedited.countAfter, messageOf });
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}

/** Returns the function that writes old names in place of new ones: an old message that only has the new name equals. */
export function withOldNames(oldNames: ReadonlyMap<string, string>): (message: string) => string {
  return (message) => message.replace(/[\p{L}\p{N}_$]+/gu, (word) => oldNames.get(word) ?? word);
}

interface Unedited {
  /** Number of unchanged lines at the start (`first`) and at the end (`last`) of the file. */
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

/** Counts lines after the edit from the end of the file, and ignores positions inside the edit. */
function keyOf(
  problem: Diagnostic,
  { first, last, count, messageOf }: Unedited & { count: number; messageOf: (message: string) => string },
): string {
  const { range, message, severity, code, source } = problem;
  const place = ({ line, character }: Diagnostic['range']['start']) => {
    if (line < first) return [line, character];
    return line >= count - last ? [line - count, character] : [];
  };
  return JSON.stringify([place(range.start), place(range.end), severity, code, source, messageOf(message)]);
}
