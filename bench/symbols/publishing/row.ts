import type { Costs, Entry } from './entry.ts';

/** All entries of one contender in one language and task, as one row of a table. */
export interface Row {
  readonly contender: string;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly noted: number;
  /** Medians of several packages are averaged by their numbers of answers. */
  readonly costs: Costs | undefined;
  readonly megabytes: number | undefined;
  readonly charged: Entry['charged'];
}

/** Returns a row for each contender, in the order of `names`; contenders without entries have none. */
export function rowsOf(entries: readonly Entry[], names: readonly string[]): Row[] {
  const order = new Set([...names, ...entries.map(({ contender }) => contender)]);
  return [...order].flatMap((contender) => {
    const own = entries.filter((entry) => entry.contender === contender);
    return own.length === 0 ? [] : [toRow(contender, own)];
  });
}

function toRow(contender: string, own: readonly Entry[]): Row {
  const verdicts: Record<string, number> = {};
  for (const [verdict, count] of own.flatMap((entry) => Object.entries(entry.verdicts))) {
    verdicts[verdict] = (verdicts[verdict] ?? 0) + count;
  }
  const peaks = own.flatMap(({ megabytes }) => megabytes ?? []);
  const charged = own.flatMap((entry) => entry.charged ?? []);
  return {
    contender,
    verdicts,
    noted: own.reduce((sum, { noted = 0 }) => sum + noted, 0),
    costs: costsOf(own.flatMap(({ costs }) => costs ?? [])),
    megabytes: peaks.length === 0 ? undefined : Math.max(...peaks),
    charged:
      charged.length === 0 ? undefined : { answers: sumOf(charged), tokens: mean(charged, ({ tokens }) => tokens) },
  };
}

function costsOf(all: readonly Costs[]): Costs | undefined {
  if (all.length === 0) return undefined;
  return {
    answers: sumOf(all),
    recall: mean(all, ({ recall }) => recall ?? 0),
    precision: mean(all, ({ precision }) => precision ?? 0),
    ms: mean(all, ({ ms }) => ms),
    tokensIn: mean(all, ({ tokensIn }) => tokensIn),
    tokensOut: mean(all, ({ tokensOut }) => tokensOut),
    calls: mean(all, ({ calls }) => calls),
  };
}

function sumOf(all: readonly { readonly answers: number }[]): number {
  return all.reduce((sum, { answers }) => sum + answers, 0);
}

/** Returns a mean that is weighted by numbers of answers. */
function mean<Kind extends { readonly answers: number }>(all: readonly Kind[], figure: (one: Kind) => number): number {
  return all.reduce((sum, one) => sum + figure(one) * one.answers, 0) / sumOf(all);
}
