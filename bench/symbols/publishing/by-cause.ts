import { unknownCause } from './causes-in.ts';
import type { Entry, Failure } from './entry.ts';

/** Failures of one task in one package with one verdict and one cause. */
export interface SameCause {
  readonly task: string;
  readonly cause: string;
  readonly failures: readonly [Failure, ...Failure[]];
}

/** Groups the failures of entries, so that a table says once what they have in common. */
export function byCause(
  entries: readonly Entry[],
  causeOf: (task: string, failure: Failure) => string,
): readonly SameCause[] {
  const all = entries.flatMap(({ task, failures = [] }) =>
    failures.map((failure) => ({ task, failure, cause: causeOf(task, failure) })),
  );
  const groups = Map.groupBy(all, ({ task, failure, cause }) => {
    const { package: name, verdict, question, isNoted } = failure;
    return [name, task, verdict, isNoted, cause, cause === unknownCause ? question : ''].join('\n');
  });
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ task: first.task, cause: first.cause, failures: [first.failure, ...others.map(({ failure }) => failure)] }],
  );
}
