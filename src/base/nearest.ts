import { distance } from 'fastest-levenshtein';

/** Returns the candidate most like `word`, or `undefined` if none is near enough to be a slip of it. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  return nearestFew(word, candidates, 1)[0];
}

/** Returns at most `count` candidates that are near enough to `word` to be slips of it, the most similar first. */
export function nearestFew(word: string, candidates: readonly string[], count: number): string[] {
  const lower = word.toLowerCase();
  // A third of the letters wrong is a slip; more is another word.
  const limit = Math.max(2, word.length / 3);
  return candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= limit)
    .map((candidate) => ({ candidate, edits: distance(lower, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}
