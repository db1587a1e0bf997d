import type { TextEdit } from '../text/apply-edits.ts';

/**
 * A character of names: if one follows a reference, the name is a longer one. See docs/compatibility.md, Memory
 * references.
 */
const nameCharacter = String.raw`[\p{L}\p{M}\p{N}_\-/]`;

/**
 * Returns the edits that change every reference `mem:<from>` in `text` to `to`. References to longer names are not
 * changed: those that continue with a letter, digit, `_`, `-` or `/`, and those to a name in `others` (such as `v1.2`
 * besides `v1`). Offsets are UTF-16 code units.
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

/** True if `text` has a reference to exactly `name` at `index`, a UTF-16 offset. */
export function isReference(text: string, index: number, name: string): boolean {
  const here = referenceTo(name, 'y');
  here.lastIndex = index;
  return here.test(text);
}

/** Returns a pattern that matches `name`, but not as part of a longer name. */
export function wholeName(name: string): RegExp {
  return new RegExp(`(?<!${nameCharacter})${RegExp.escape(name)}(?!${nameCharacter})`, 'gu');
}

/** Returns a pattern that matches any reference; its first group is the name. */
export function anyReference(): RegExp {
  return new RegExp(`(?<!${nameCharacter})mem:(${nameCharacter}+)`, 'gu');
}

/** Returns a pattern that matches anything that may be a name. */
export function anyName(): RegExp {
  return new RegExp(`${nameCharacter}+`, 'gu');
}

function referenceTo(name: string, where: 'g' | 'y'): RegExp {
  return new RegExp(`(?<!${nameCharacter})mem:${RegExp.escape(name)}(?!${nameCharacter})`, `u${where}`);
}
