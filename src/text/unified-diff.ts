import { createTwoFilesPatch, FILE_HEADERS_ONLY, structuredPatch } from 'diff';

/** A file before and after a change; no text means no file. */
export interface ChangedText {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Lines around each change. */
const context = 3;

/** Texts that differ in more lines are compared no further: the time grows with the square of this number. */
const maxEditLength = 4_000;

/** Returns the change of a file as a unified diff; `undefined` if the texts differ too much. Line breaks are `\n`. */
export function unifiedDiff({ path, before, after }: ChangedText): string | undefined {
  const from = before === undefined ? '/dev/null' : `a/${path}`;
  const to = after === undefined ? '/dev/null' : `b/${path}`;
  const options = { context, maxEditLength, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, options);
}

/** Lines that a change replaces, 0-based, without `end`; it inserts in front of `start` if both are equal. */
export interface ReplacedLines {
  readonly start: number;
  readonly end: number;
}

/** Returns the lines of `before` that `after` replaces; all of them if the texts differ too much. */
export function replacedLines(before: string, after: string): ReplacedLines[] {
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 0, maxEditLength });
  if (patch === undefined) return [{ start: 0, end: before.split('\n').length }];
  return patch.hunks.map(({ oldStart, oldLines }) => ({ start: oldStart - 1, end: oldStart - 1 + oldLines }));
}
