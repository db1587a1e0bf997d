import { createTwoFilesPatch, diffArrays, FILE_HEADERS_ONLY, structuredPatch } from 'diff';
import type { TextEdit } from './apply-edits.ts';

/** Texts that differ in more lines are compared no further: the time grows with the square of this number. */
const maxEditLength = 4_000;

/**
 * Splits an edit that replaces unchanged text as well into edits of the changed lines, without what both texts of an edit
 * begin and end with. Returns the edit itself if the texts differ too much.
 */
export function smallerEdits(text: string, edit: TextEdit): TextEdit[] {
  const [before, after] = [linesOf(text.slice(edit.start, edit.end)), linesOf(edit.text)];
  const parts = diffArrays(before, after, { maxEditLength });
  if (parts === undefined) return [edit];
  const found: TextEdit[] = [];
  let offset = edit.start;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    const next = parts[at + 1];
    const value = part?.value ?? [];
    if (part?.removed && next?.added) {
      found.push(...changedLines(value, next.value, offset));
      at++;
    } else if (part?.removed) found.push({ start: offset, end: offset + value.join('').length, text: '' });
    else if (part?.added) found.push({ start: offset, end: offset, text: value.join('') });
    if (!part?.added) offset += value.join('').length;
  }
  return found;
}

/** Returns one edit for each line if there are as many as before, otherwise one for all. */
function changedLines(before: readonly string[], after: readonly string[], start: number): TextEdit[] {
  const isSameCount = before.length === after.length;
  const pairs = isSameCount ? before.map((line, index) => [line, after[index] ?? ''] as const) : undefined;
  let offset = start;
  return (pairs ?? [[before.join(''), after.join('')] as const]).map(([old, text]) => {
    const at = offset;
    offset += old.length;
    return trimmed(old, text, at);
  });
}

function trimmed(old: string, text: string, at: number): TextEdit {
  const shorter = Math.min(old.length, text.length);
  let head = 0;
  while (head < shorter && old[head] === text[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === text.at(-1 - tail)) tail++;
  return { start: at + head, end: at + old.length - tail, text: text.slice(head, text.length - tail) };
}

/** Splits a text into lines with their line breaks. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A file before and after a change; no text means no file. */
export interface ChangedText {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Lines around each change. */
const context = 3;

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
