import type { Range } from './place.ts';
import { offsetAt, positionAt } from './position.ts';
import type { TextLines } from './text-lines.ts';

interface Replacement {
  readonly range: Range;
  readonly newText: string;
}

const tokens = /[\p{L}\p{N}_$]+|[^\p{L}\p{N}_$]+/gu;

/**
 * Returns the replacements of the single words that a replacement changes, in their order; the replacement itself if it
 * changes more than words.
 */
export function wordEdits({ text, starts }: TextLines, edit: Replacement): Replacement[] {
  const [start, end] = [offsetAt(text, starts, edit.range.start), offsetAt(text, starts, edit.range.end)];
  if (start === undefined || end === undefined) return [edit];
  const old = text.slice(start, end).match(tokens) ?? [];
  const now = edit.newText.match(tokens) ?? [];
  if (old.length !== now.length) return [edit];
  const edits: Replacement[] = [];
  let at = start;
  for (const [index, token] of old.entries()) {
    const newText = now[index] ?? '';
    if (token !== newText) {
      if (!/^[\p{L}\p{N}_$]/u.test(token)) return [edit];
      const range = { start: positionAt(text, starts, at), end: positionAt(text, starts, at + token.length) };
      edits.push({ range, newText });
    }
    at += token.length;
  }
  return edits.length === 0 ? [edit] : edits;
}
