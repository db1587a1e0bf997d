/** A text without Unicode escapes, and the way back to the text that has them. */
export interface Unescaped {
  readonly text: string;
  /** Returns the offset in the original text of an offset in the new one, both in UTF-16 code units. */
  readonly originalOffset: (offset: number) => number;
}

/** Pairs of `\` and a character, so that the second of two backslashes does not begin an escape. */
const escapes = /\\(?:u+(?<code>[\da-fA-F]{4})|[\s\S])/g;

/**
 * Replaces the Unicode escapes of Java (`\u0041`), which its compiler replaces before it looks for comments, strings and
 * names.
 */
export function withoutUnicodeEscapes(text: string): Unescaped {
  /** Offsets in the new text of the replaced characters, each with the original offset behind its escape. */
  const replaced: { readonly at: number; readonly end: number }[] = [];
  let shift = 0;
  const unescaped = text.replace(escapes, (pair: string, code: string | undefined, offset: number) => {
    if (code === undefined) return pair;
    replaced.push({ at: offset - shift, end: offset + pair.length });
    shift += pair.length - 1;
    return String.fromCharCode(Number.parseInt(code, 16));
  });
  const originalOffset = (offset: number): number => {
    const last = replaced.findLast(({ at }) => at < offset);
    return last === undefined ? offset : last.end + (offset - last.at - 1);
  };
  return { text: unescaped, originalOffset };
}

/**
 * Returns texts of which a file contains at least one if it contains a name whose characters are in part written as
 * Unicode escapes.
 */
export function escapedForms(name: string): string[] {
  return /^[\0-\x7f]*$/.test(name) ? [String.raw`\u00`, String.raw`\uu`] : [String.raw`\u`];
}
