import { anyName, anyReference, isReference, wholeName } from './references.ts';

/** A range in a memory's text, as UTF-16 offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A name in a text, with or without `mem:` before it; the range covers the name alone. */
export interface Mention extends TextRange {
  readonly name: string;
}

/** A name of at least this length, or with a topic, is hardly ever an ordinary word. */
const nameShapedChars = 10;

/**
 * True if a mention of this name very likely means the memory: see docs/compatibility.md, Checking memory references.
 */
export function isNameShaped(name: string): boolean {
  return name.includes('/') || name.length >= nameShapedChars;
}

/** Returns the references in `text` to names that are not in `names`, in document order. */
export function staleReferences(text: string, names: readonly string[]): Mention[] {
  return [...text.matchAll(anyReference())].flatMap(({ index, 1: name = '' }) => {
    if (names.some((known) => isReference(text, index, known))) return [];
    const start = index + 'mem:'.length;
    return [{ name, start, end: start + name.length }];
  });
}

/**
 * Returns the mentions of `names` in `text` without `mem:`, in document order; of overlapping ones only the longest.
 */
export function findMentions(text: string, names: readonly string[]): Mention[] {
  const taken: TextRange[] = [];
  const mentions: Mention[] = [];
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    for (const { index: start } of text.matchAll(wholeName(name))) {
      const end = start + name.length;
      if (taken.some((range) => start < range.end && range.start < end)) continue;
      taken.push({ start, end });
      if (text.slice(0, start).endsWith('mem:')) continue;
      mentions.push({ name, start, end });
    }
  }
  return mentions.sort((a, b) => a.start - b.start);
}

/** Returns the words of `text` that look like names of memories, each with its first position. */
export function nameShapedWords(text: string): readonly (TextRange & { readonly word: string })[] {
  const words = new Map<string, TextRange & { word: string }>();
  for (const { 0: word, index } of text.matchAll(anyName())) {
    const isReference = text.slice(0, index).endsWith('mem:');
    if (word.length < nameShapedChars || isReference || words.has(word)) continue;
    words.set(word, { word, start: index, end: index + word.length });
  }
  return [...words.values()];
}
