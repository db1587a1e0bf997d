import { distance } from 'fastest-levenshtein';

/** Returns the candidate most similar to `word`, or `undefined` if `word` is not a plausible misspelling of any. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  return nearestFew(word, candidates, 1)[0];
}

/** Returns at most `count` candidates of which `word` is a plausible misspelling, the most similar first. */
export function nearestFew(word: string, candidates: readonly string[], count: number): string[] {
  const lower = word.toLowerCase();
  // Up to a third of the letters may differ; beyond that it is another word.
  const limit = Math.max(2, word.length / 3);
  return candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= limit)
    .map((candidate) => ({ candidate, edits: distance(lower, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** Returns a hint for a name that is not among `known`: the nearest, else `otherwise`, by default a list of all. */
export function nearestHint(
  text: string,
  known: readonly string[],
  otherwise = `use one of: ${known.join(', ')}`,
): string {
  const meant = nearest(text, known);
  return meant === undefined ? otherwise : `did you mean \`${meant}\`?`;
}
