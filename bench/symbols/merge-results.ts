/** What identifies an answer of one package and task. */
interface Answered {
  readonly contender: string;
  readonly question: string;
}

/** Returns the new results, with the earlier ones of contenders that were not asked again, if about the same questions. */
export function mergeResults<Kind extends Answered>(
  earlier: readonly Kind[] | undefined,
  added: readonly Kind[],
): Kind[] {
  const asked = new Set(added.map(({ contender }) => contender));
  const questions = new Set(added.map(({ question }) => question));
  const others = [...Map.groupBy(earlier ?? [], ({ contender }) => contender)].filter(
    ([contender, own]) => !asked.has(contender) && isSame(new Set(own.map(({ question }) => question)), questions),
  );
  return [...added, ...others.flatMap(([, own]) => own)];
}

function isSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && some.isSubsetOf(others);
}
