import { anyName, anyReference, isReference, wholeName } from './references.ts';

/** A place in a memory's text; offsets are UTF-16 code units. */
export interface TextPlace {
  readonly start: number;
  readonly end: number;
}

/** A name in a text, as a reference `mem:NAME` or without `mem:`; its place is that of the name alone. */
export interface Mention extends TextPlace {
  readonly name: string;
}

/** A name with a topic, or as long as this, is hardly ever meant as a word. */
const nameShapedChars = 10;

/** Returns whether a mention of this name means the memory with high confidence (`spec/system.md` §8.5). */
export function isNameShaped(name: string): boolean {
  return name.includes('/') || name.length >= nameShapedChars;
}

/** Returns the references in `text` that lead to none of `names`, in order. */
export function staleReferences(text: string, names: readonly string[]): Mention[] {
  return [...text.matchAll(anyReference())].flatMap(({ index, 1: name = '' }) => {
    if (names.some((known) => isReference(text, index, known))) return [];
    const start = index + 'mem:'.length;
    return [{ name, start, end: start + name.length }];
  });
}

/** Returns where `text` mentions one of `names` exactly, without `mem:`, in order; of two at one place the longer one. */
export function findMentions(text: string, names: readonly string[]): Mention[] {
  const taken: TextPlace[] = [];
  const mentions: Mention[] = [];
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    for (const { index: start } of text.matchAll(wholeName(name))) {
      const end = start + name.length;
      if (taken.some((place) => start < place.end && place.start < end)) continue;
      taken.push({ start, end });
      if (text.slice(0, start).endsWith('mem:')) continue;
      mentions.push({ name, start, end });
    }
  }
  return mentions.sort((a, b) => a.start - b.start);
}

/** Returns the words of `text` that look like names of memories, each once. */
export function nameShapedWords(text: string): readonly (TextPlace & { readonly word: string })[] {
  const found = new Map<string, TextPlace & { word: string }>();
  for (const { 0: word, index } of text.matchAll(anyName())) {
    const isReferred = text.slice(0, index).endsWith('mem:');
    if (word.length < nameShapedChars || isReferred || found.has(word)) continue;
    found.set(word, { word, start: index, end: index + word.length });
  }
  return [...found.values()];
}
