/** What identifies the entry that an answer belongs to. */
interface Answered {
  readonly language: string;
  readonly task: string;
  readonly contender: string;
  readonly package: string;
}

/** Returns the answers of each contender, task and package together. */
export function groupsOf<Kind extends Answered>(answers: readonly Kind[]): (readonly [Kind, ...Kind[]])[] {
  const keyOf = ({ language, task, contender, package: name }: Kind) =>
    JSON.stringify([language, task, contender, name]);
  return [...Map.groupBy(answers, keyOf).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}
