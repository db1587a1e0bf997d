import { ExpectedError } from '../base/errors.ts';

/** Replaces part of a text. Offsets are UTF-16 code units, `end` exclusive; an insertion has `start` = `end`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns `edits` in the order of the text. Insertions at the same place keep the order in which they were given, before
 * a replacement that begins there. `path` is for messages.
 *
 * @throws {ExpectedError} `edit.overlap` if two edits change the same part; `edit.out-of-range` beyond the text.
 */
export function orderEdits(edits: readonly TextEdit[], options: { length: number; path: string }): TextEdit[] {
  const ordered = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let reached = 0;
  for (const { start, end } of ordered) {
    if (start < 0 || start > end || end > options.length) {
      throw new ExpectedError(
        'edit.out-of-range',
        `Cannot edit \`${options.path}\`: the text has no part ${start} to ${end}`,
      );
    }
    if (start < reached) {
      throw new ExpectedError(
        'edit.overlap',
        `Cannot edit \`${options.path}\`: two of the edits overlap at ${reached - 1}`,
        {
          hints: ['Make the edits one after the other, or as one larger edit'],
        },
      );
    }
    reached = end;
  }
  return ordered;
}

/**
 * Returns `text` with `edits` made. `path` is for messages.
 *
 * @throws {ExpectedError} as {@link orderEdits} does.
 */
export function applyEdits(text: string, edits: readonly TextEdit[], path: string): string {
  const parts: string[] = [];
  let reached = 0;
  for (const edit of orderEdits(edits, { length: text.length, path })) {
    parts.push(text.slice(reached, edit.start), edit.text);
    reached = edit.end;
  }
  parts.push(text.slice(reached));
  return parts.join('');
}
