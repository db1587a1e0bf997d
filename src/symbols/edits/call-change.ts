import type { SignatureRules } from '../../languages/signature-rules.ts';
import type { ArgumentPart, CallSite } from '../../syntax/signatures.ts';
import { byPosition, type Entry, type SignatureChange } from './signature-change.ts';

export interface NewArgument {
  /** Index among the present arguments. */
  readonly origin?: number | undefined;
  /** The name by which it is passed. */
  readonly keyword?: string | undefined;
  readonly text?: string;
}

/** What becomes of the arguments of a call. */
export type ChangedCall =
  | { readonly is: 'kept' }
  | { readonly is: 'changed'; readonly arguments: readonly NewArgument[]; readonly dropped: readonly number[] }
  | { readonly is: 'open'; readonly reason: string };

function open(reason: string): ChangedCall {
  return { is: 'open', reason };
}

interface Question {
  readonly rules: SignatureRules;
  /** True if the first argument is the receiver. */
  readonly passesReceiver: boolean;
  /** Further names of the parameters, by index in the present signature: those of other declarations. */
  readonly names: readonly ReadonlySet<string>[];
}

interface Bound {
  /** Index in the present signature → index of its argument. */
  readonly byParameter: ReadonlyMap<number, number>;
  /** Those beyond the parameters. */
  readonly surplus: readonly number[];
  /** Keywords that no parameter has. */
  readonly others: readonly number[];
}

/** Returns what becomes of a call when the signature of what it calls changes. */
export function changedCall(
  change: SignatureChange,
  { arguments: given }: Pick<CallSite, 'arguments'>,
  question: Question,
): ChangedCall {
  if (change.isNeutral) {
    const names = new Set(change.entries.flatMap(({ added, name }) => (added ? (name ?? []) : [])));
    const isTaken = given.some(({ keyword }) => keyword !== undefined && names.has(keyword.name));
    return isTaken ? open('it already passes an argument of the new name') : { is: 'kept' };
  }
  const bound = boundTo(change, given, question);
  if (typeof bound === 'string') return open(bound);
  const made = argumentsFor(change, given, { bound, ...question });
  if (typeof made === 'string') return open(made);
  const kept = new Set(made.map(({ origin }) => origin));
  const dropped = [...given.keys()].filter((index) => !kept.has(index));
  const isSame = made.length === given.length && made.every((one, index) => isKept(one, index, given[index]));
  return isSame ? { is: 'kept' } : { is: 'changed', arguments: made, dropped };
}

function isKept({ origin, keyword }: NewArgument, index: number, argument: ArgumentPart | undefined): boolean {
  return origin === index && keyword === argument?.keyword?.name;
}

const hidden = 'it passes arguments that the text does not show';

/** Returns which arguments are for which parameters, or why that is unknown. */
function boundTo(
  { old }: SignatureChange,
  given: readonly ArgumentPart[],
  { passesReceiver, names, rules }: Question,
): Bound | string {
  const positions = [...old.keys()].filter((index) => byPosition(old[index]?.is ?? 'receiver'));
  const byParameter = new Map<number, number>();
  const surplus: number[] = [];
  const others: number[] = [];
  let position = 0;
  for (const [index, { keyword, spread }] of given.entries()) {
    if (index === 0 && passesReceiver) continue;
    if (keyword !== undefined) {
      const parameter = old.findIndex(
        ({ is, name }, at) =>
          is !== 'positional' && (name?.name === keyword.name || names[at]?.has(keyword.name) === true),
      );
      if (parameter === -1) others.push(index);
      else if (byParameter.has(parameter)) return `it passes \`${keyword.name}\` twice`;
      else byParameter.set(parameter, index);
      continue;
    }
    const parameter = positions[position++];
    if (spread === 'keywords' || (spread !== undefined && parameter !== undefined)) return hidden;
    if (parameter === undefined) surplus.push(index);
    else byParameter.set(parameter, index);
  }
  return whyUnbound({ old, rules }, { byParameter, surplus, others }, given) ?? { byParameter, surplus, others };
}

function whyUnbound(
  { old, rules }: { old: SignatureChange['old']; rules: SignatureRules },
  { byParameter, surplus, others }: Bound,
  given: readonly ArgumentPart[],
): string | undefined {
  if (surplus.length > 0 && !old.some(({ is }) => is === 'rest'))
    return 'it passes more arguments than there are parameters';
  const [unknown] = others;
  if (unknown !== undefined && !old.some(({ is }) => is === 'keyword-rest'))
    return `it passes \`${given[unknown]?.keyword?.name}\`, which is no parameter`;
  const missing = old.find(
    ({ is, isOptional }, index) => (byPosition(is) || is === 'keyword') && !isOptional && !byParameter.has(index),
  );
  if (missing !== undefined && rules.mayPassFewer !== true)
    return `it passes no \`${missing.name?.name ?? 'argument'}\``;
  return undefined;
}

/** Returns the arguments for the new signature, or why they cannot be written. */
function argumentsFor(
  { entries }: SignatureChange,
  given: readonly ArgumentPart[],
  { bound, rules, passesReceiver }: Question & { bound: Bound },
): NewArgument[] | string {
  const first: NewArgument[] = passesReceiver ? [{ origin: 0 }] : [];
  const positional: NewArgument[] = [...first];
  const named: NewArgument[] = [];
  // Before arguments for the rest, each parameter is passed by its position.
  /** Parameters that are left out so far. */
  let gaps: Entry[] = [];
  for (const entry of entries) {
    const argument = argumentOf(entry, bound);
    if (!byPosition(entry.is)) {
      if (entry.is === 'keyword' && argument !== undefined) named.push({ ...argument, keyword: entry.name });
      continue;
    }
    const { origin } = argument ?? {};
    const isNamed = origin !== undefined && given[origin]?.keyword !== undefined && entry.is === 'either';
    if (argument === undefined && entry.added !== undefined && !entry.isOptional)
      return `it needs an argument for \`${entry.name}\``;
    if (argument === undefined) gaps.push(entry);
    else if (isNamed || (gaps.length > 0 && entry.is === 'either' && bound.surplus.length === 0))
      named.push({ ...argument, keyword: entry.name });
    else {
      const filled = fill(gaps, rules);
      if (filled === undefined) return `it leaves out \`${gaps[0]?.name}\`, which now precedes another argument`;
      positional.push(...filled, argument);
      gaps = [];
    }
    // Nothing can take the place of an argument that is passed by name.
    if (isNamed) gaps.push({ ...entry, added: undefined });
  }
  if (bound.surplus.length > 0 && entries.some(({ is }) => is === 'rest')) {
    const filled = fill(gaps, rules);
    if (filled === undefined) return `it leaves out \`${gaps[0]?.name}\`, which now precedes another argument`;
    positional.push(...filled, ...bound.surplus.map((origin) => ({ origin })));
  }
  const added = entries.flatMap(({ added: one, name }) => (one === undefined ? [] : (name ?? [])));
  const taken = bound.others.find((index) => added.includes(given[index]?.keyword?.name ?? ''));
  if (taken !== undefined) return 'it already passes an argument of the new name';
  const kept = bound.others.map((origin) => ({ origin, keyword: given[origin]?.keyword?.name }));
  return [...positional, ...inTextOrder([...named, ...kept], given)];
}

function argumentOf({ origin, added }: Entry, { byParameter }: Bound): NewArgument | undefined {
  if (added !== undefined) return added.value === undefined ? undefined : { text: added.value };
  const index = origin === undefined ? undefined : byParameter.get(origin);
  return index === undefined ? undefined : { origin: index };
}

/** Returns arguments that mean the same as those that are left out; `undefined` if the language has none. */
function fill(gaps: readonly Entry[], { omitted, constants }: SignatureRules): NewArgument[] | undefined {
  const filled = gaps.flatMap(({ added }): NewArgument[] => {
    const { text, part } = added ?? {};
    const value = part?.default && text?.slice(part.default.start, part.default.end);
    if (omitted !== undefined) return [{ text: omitted }];
    return value !== undefined && constants.test(value) ? [{ text: value }] : [];
  });
  return filled.length === gaps.length ? filled : undefined;
}

/** First those that were passed by position, last the new ones. */
function inTextOrder(named: readonly NewArgument[], given: readonly ArgumentPart[]): NewArgument[] {
  const rank = ({ origin }: NewArgument) => origin ?? given.length;
  return named.toSorted((a, b) => rank(a) - rank(b));
}
