import type { Entry } from '../publishing/entry.ts';
import { shownEntries } from '../publishing/merge-entries.ts';
import { harmfulVerdicts, isAboutEdits, rightVerdicts } from './edit-result.ts';

/** Numbers of changes that are right, and that do harm. */
export interface EditScore {
  readonly right: number;
  readonly harmful: number;
}

/** Changes of the same symbols by two contenders. */
export interface SameEdits {
  readonly count: number;
  readonly theirs: EditScore;
  readonly ours: EditScore;
}

/**
 * Returns the changes of the symbols that both contenders were asked to change. The first symbols of a longer sample are
 * those of a shorter one, and an entry of this product (`our`) names all symbols whose change was not right.
 */
export function sameEdits(entries: readonly Entry[], their: string, our: string): SameEdits {
  const shown = shownEntries(entries).filter(isAboutEdits);
  const pairs = shown.flatMap((entry) => {
    if (entry.contender !== their || entry.verdicts.cannot !== undefined) return [];
    const own = shown.find((other) => other.contender === our && isAboutAll(other, entry));
    return own === undefined ? [] : [{ entry, own: verdictsOn(entry, own) }];
  });
  return {
    count: pairs.reduce((total, { entry }) => total + sum(entry.verdicts), 0),
    theirs: scoreOf(pairs.map(({ entry }) => entry.verdicts)),
    ours: scoreOf(pairs.map(({ own }) => own)),
  };
}

/** True if `own` is about the package of `entry`, and about as many symbols or also about those that `entry` names. */
function isAboutAll(own: Entry, entry: Entry): boolean {
  const isSameTask = own.language === entry.language && own.task === entry.task;
  const isSameSize = sum(own.packages) === sum(entry.packages);
  return (
    isSameTask &&
    (isSameSize || entry.questions !== undefined) &&
    Object.entries(entry.packages).every(([name, count]) => (own.packages[name] ?? 0) >= count)
  );
}

/** Returns the verdicts of `own` on the symbols of `entry`. */
function verdictsOn({ questions, verdicts }: Entry, own: Entry): Record<string, number> {
  if (questions === undefined) return own.verdicts;
  const asked = new Set(questions);
  const counts: Record<string, number> = {};
  const failures = (own.failures ?? []).filter(({ question }) => asked.has(question));
  for (const { verdict } of failures) counts[verdict] = (counts[verdict] ?? 0) + 1;
  // Which of the right verdicts does not matter.
  return { ...counts, pass: sum(verdicts) - failures.length };
}

function scoreOf(all: readonly Readonly<Record<string, number>>[]): EditScore {
  const countOf = (wanted: ReadonlySet<string>) =>
    all
      .flatMap((verdicts) => Object.entries(verdicts))
      .reduce((total, [verdict, count]) => total + (wanted.has(verdict) ? count : 0), 0);
  return { right: countOf(rightVerdicts), harmful: countOf(harmfulVerdicts) };
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
