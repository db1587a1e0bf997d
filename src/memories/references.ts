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

/** Returns whether a reference to exactly `name` stands at `index` of `text`, a UTF-16 offset. */
export function isReference(text: string, index: number, name: string): boolean {
  const here = referenceTo(name, 'y');
  here.lastIndex = index;
  return here.test(text);
}

/** Returns the pattern of `name` where it is not part of a longer one. */
export function wholeName(name: string): RegExp {
  return new RegExp(`(?<!${nameCharacter})${RegExp.escape(name)}(?!${nameCharacter})`, 'gu');
}

/** Returns the pattern of a reference to whatever it may be, whose first group is the name. */
export function anyReference(): RegExp {
  return new RegExp(`(?<!${nameCharacter})mem:(${nameCharacter}+)`, 'gu');
}

/** Returns the pattern of whatever may be a name. */
export function anyName(): RegExp {
  return new RegExp(`${nameCharacter}+`, 'gu');
}

function referenceTo(name: string, where: 'g' | 'y'): RegExp {
  return new RegExp(`(?<!${nameCharacter})mem:${RegExp.escape(name)}(?!${nameCharacter})`, `u${where}`);
}
