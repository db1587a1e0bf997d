import { distance } from 'fastest-levenshtein';

/** Returns the candidate most like `word`, or `undefined` if none is near enough to be a slip of it. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(lower, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const [best] = ranked;
  // A third of the letters wrong is a slip; more is another word.
  return best !== undefined && best.edits <= Math.max(2, word.length / 3) ? best.candidate : undefined;
}
