import type { Entry } from './entry.ts';
import { shownEntries } from './merge-entries.ts';

/** Answers to the same questions, by verdict. */
export interface SameQuestions {
  readonly theirs: Readonly<Record<string, number>>;
  readonly ours: Readonly<Record<string, number>>;
}

/** Tasks whose answers have the verdicts `exact` to `cannot`. */
const questionTasks = ['references', 'overview', 'implementations', 'diagnostics', 'traps'];

/**
 * Returns the answers of two contenders to the questions that both were asked: those entries of `their` for whose packages
 * `our` has as many answers. Tasks that `their` cannot do, and could not do here, are left out.
 */
export function sameQuestions(entries: readonly Entry[], their: string, our: string): SameQuestions {
  const shown = shownEntries(entries).filter(({ task }) => questionTasks.includes(task));
  const pairs = shown.flatMap((entry) => {
    if (entry.contender !== their || (entry.verdicts.cannot ?? 0) === sum(entry.packages)) return [];
    const ours = shown.filter((other) => other.contender === our && isPartOf(other, entry));
    return sum(countsOf(ours, 'packages')) === sum(entry.packages) ? [{ entry, ours }] : [];
  });
  return {
    theirs: countsOf(
      pairs.map(({ entry }) => entry),
      'verdicts',
    ),
    ours: countsOf(
      pairs.flatMap(({ ours }) => ours),
      'verdicts',
    ),
  };
}

/** True if `part` is about packages of `whole`, with as many questions about each. */
function isPartOf(part: Entry, whole: Entry): boolean {
  const isSameTask = part.language === whole.language && part.task === whole.task;
  return isSameTask && Object.entries(part.packages).every(([name, count]) => whole.packages[name] === count);
}

function countsOf(entries: readonly Entry[], of: 'packages' | 'verdicts'): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [name, count] of entries.flatMap((entry) => Object.entries(entry[of])))
    counts[name] = (counts[name] ?? 0) + count;
  return counts;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
