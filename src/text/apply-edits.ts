import { ExpectedError } from '../base/errors.ts';

/**
 * A replacement of part of a text. Offsets are UTF-16 code units, `end` exclusive; an insertion has `start` = `end`.
 */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns `edits` sorted by offset. Insertions at the same offset keep their order and precede a replacement that
 * begins there. `path` is for messages.
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
        `cannot edit \`${options.path}\`: offsets ${start} to ${end} are outside the text`,
      );
    }
    if (start < reached) {
      throw new ExpectedError(
        'edit.overlap',
        `cannot edit \`${options.path}\`: two edits overlap at offset ${reached - 1}`,
        {
          hints: ['make the edits in separate calls, or as one larger edit'],
        },
      );
    }
    reached = end;
  }
  return ordered;
}

/**
 * Returns `text` with `edits` applied. `path` is for messages.
 *
 * @throws {ExpectedError} as {@link orderEdits}.
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
