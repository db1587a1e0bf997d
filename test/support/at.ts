/** An LSP position: both 0-based, `character` in UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

/**
 * Returns the start of `pattern`'s first group in `text`, or of the whole match if it has no group. The pattern must
 * match exactly once: `at(text, /def (helper)/)`.
 *
 * @throws {Error} if the pattern does not match, or matches more than once.
 */
export function at(text: string, pattern: RegExp): Place {
  const matches = [...text.matchAll(new RegExp(pattern.source, `${pattern.flags.replace(/[gd]/g, '')}gd`))];
  const [match] = matches;
  if (match === undefined || matches.length > 1)
    throw new Error(`Found ${matches.length} matches of ${pattern}, expected 1`);
  const [start] = match.indices?.[1] ?? match.indices?.[0] ?? [match.index];
  const before = text.slice(0, start);
  return { line: before.split('\n').length - 1, character: start - (before.lastIndexOf('\n') + 1) };
}

/** Returns the 0-based line that `at` finds. */
export function lineOf(text: string, pattern: RegExp): number {
  return at(text, pattern).line;
}
