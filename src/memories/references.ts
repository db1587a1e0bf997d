import type { TextEdit } from '../text/apply-edits.ts';

/** What a name is made of: whatever of this follows a reference belongs to a longer name (`spec/system.md` §8.4). */
const nameCharacter = String.raw`[\p{L}\p{M}\p{N}_\-/]`;

/**
 * Returns the edits that make every reference `mem:<from>` in `text` one to `to`. References to longer names stay: what
 * goes on with a letter, digit, `_`, `-` or `/`, and what is one of the names in `others` (such as `v1.2` beside `v1`).
 * Offsets are UTF-16 code units.
 */
export function referenceEdits(
  text: string,
  { from, to, others }: { from: string; to: string; others: readonly string[] },
): TextEdit[] {
  const longer = others.filter((name) => name.length > from.length && name.startsWith(from));
  const isLonger = (index: number) => longer.some((name) => isReference(text, index, name));
  return [...text.matchAll(referenceTo(from, 'g'))].flatMap(({ index }) => {
    const start = index + 'mem:'.length;
    return isLonger(index) ? [] : [{ start, end: start + from.length, text: to }];
  });
}

function isReference(text: string, index: number, name: string): boolean {
  const here = referenceTo(name, 'y');
  here.lastIndex = index;
  return here.test(text);
}

function referenceTo(name: string, where: 'g' | 'y'): RegExp {
  return new RegExp(`(?<!${nameCharacter})mem:${RegExp.escape(name)}(?!${nameCharacter})`, `u${where}`);
}
