import { ExpectedError } from '../../base/errors.ts';
import type { SignatureRules } from '../../languages/signature-rules.ts';
import type { ParameterPart } from '../../syntax/signatures.ts';

/** One change of a signature, as the caller passes it: one of `add`, `remove`, `rename`, `order`, `keyword`, `positional`. */
export interface RequestedChange {
  /** A parameter in the syntax of the language. */
  readonly add?: string | undefined;
  /** The argument that each call gets for it. */
  readonly value?: string | undefined;
  /** The parameter that it is to precede. */
  readonly before?: string | undefined;
  readonly remove?: string | undefined;
  readonly rename?: string | undefined;
  /** The new name of `rename`. */
  readonly to?: string | undefined;
  /** The names of all parameters. */
  readonly order?: readonly string[] | undefined;
  /** A parameter that calls shall pass by its name only. */
  readonly keyword?: string | undefined;
  /** A parameter that calls may pass by its position. */
  readonly positional?: string | undefined;
}

/** A parameter that is added. */
export interface AddedParameter {
  readonly text: string;
  /** In `text`. */
  readonly part: ParameterPart;
  readonly value: string | undefined;
}

/** A parameter, or a separator, of the new signature. */
export interface Entry {
  readonly is: ParameterPart['is'];
  readonly name: string | undefined;
  readonly isOptional: boolean;
  /** Index in the present signature. */
  readonly origin?: number;
  readonly added?: AddedParameter | undefined;
}

/** The new signature, in terms of the present one. */
export interface SignatureChange {
  readonly old: readonly ParameterPart[];
  readonly entries: readonly Entry[];
  /** Present name → new name. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Indices in the present signature. */
  readonly removed: readonly number[];
  /** True if all calls go on to mean the same without a change. */
  readonly isNeutral: boolean;
  /** True if only names change, by which no call passes an argument. */
  readonly isLocal: boolean;
}

/** What is added, by the index of the requested change. */
export type AddedParameters = ReadonlyMap<number, AddedParameter>;

/**
 * Returns the signature after changes, which are made in their order.
 *
 * @throws {ExpectedError} `tool.invalid-input` for a parameter that does not exist, or exists already.
 */
export function signatureAfter(
  old: readonly ParameterPart[],
  changes: readonly RequestedChange[],
  { rules, added }: { rules: SignatureRules; added: AddedParameters },
): SignatureChange {
  let entries: Entry[] = old.map(({ is, name, isOptional }, origin) => ({ is, name: name?.name, isOptional, origin }));
  for (const [index, change] of changes.entries()) {
    entries = afterChange(entries, change, { rules, parameter: added.get(index) });
  }
  entries = withKinds(withoutIdleSeparators(entries), rules);
  const kept = new Set(entries.map(({ origin }) => origin));
  const renamed = new Map(
    entries.flatMap(({ origin, name }): [string, string][] => {
      const before = origin === undefined ? undefined : old[origin]?.name?.name;
      return before === undefined || name === undefined || before === name ? [] : [[before, name]];
    }),
  );
  const removed = [...old.keys()].filter((index) => !kept.has(index) && isParameter(old[index]));
  const change = { old, entries, renamed, removed };
  const isSame = entries.every(({ added: one, origin }, index) => one === undefined && origin === index);
  const isLocal = rules.hasKeywords !== true && removed.length === 0 && isSame;
  return { ...change, isLocal, isNeutral: isLocal || isNeutral(change) };
}

function isParameter(one: Pick<ParameterPart, 'is'> | undefined): boolean {
  return one !== undefined && one.is !== 'end-of-positional' && one.is !== 'begin-of-keywords';
}

function isNeutral({
  old,
  entries,
  renamed,
  removed,
}: Pick<SignatureChange, 'old' | 'entries' | 'renamed' | 'removed'>): boolean {
  if (renamed.size > 0 || removed.length > 0) return false;
  const added = entries.flatMap(({ added: one }) => one ?? []);
  if (added.some(({ value, part }) => value !== undefined || !part.isOptional)) return false;
  const present = entries.filter(({ origin }) => origin !== undefined);
  if (present.some(({ origin, is }, index) => origin !== index || is !== old[index]?.is)) return false;
  // What is passed by position keeps its position.
  const last = entries.findLastIndex(({ is, origin }) => origin !== undefined && (byPosition(is) || is === 'rest'));
  return entries.every(({ added: one, is }, index) => one === undefined || is === 'keyword' || index > last);
}

/** True for parameters that a call can pass by their position. */
export function byPosition(is: ParameterPart['is']): boolean {
  return is === 'positional' || is === 'either';
}

function afterChange(
  entries: readonly Entry[],
  change: RequestedChange,
  { rules, parameter }: { rules: SignatureRules; parameter: AddedParameter | undefined },
): Entry[] {
  const { remove, rename, to, order, keyword, positional, before } = change;
  if (parameter !== undefined) return withAdded(entries, parameter, { before, rules });
  if (remove !== undefined) return entries.toSpliced(indexOf(entries, remove), 1);
  if (rename !== undefined) return withRenamed(entries, rename, to ?? '');
  if (order !== undefined) return ordered(entries, order);
  const moved = keyword ?? positional ?? '';
  if (rules.hasKeywords !== true) throw invalid('calls of this language pass no argument by its name');
  return keyword === undefined ? asPositional(entries, moved) : asKeyword(entries, moved);
}

function invalid(message: string, hints: readonly string[] = []): ExpectedError {
  return new ExpectedError('tool.invalid-input', message, { hints });
}

/** True for parameters that a change can name. */
function isChangeable({ is, name }: Entry): boolean {
  return name !== undefined && (byPosition(is) || is === 'keyword');
}

function indexOf(entries: readonly Entry[], name: string): number {
  const index = entries.findIndex((entry) => isChangeable(entry) && entry.name === name);
  if (index !== -1) return index;
  const names = entries.filter(isChangeable).map((entry) => `\`${entry.name}\``);
  const known = names.length === 0 ? 'it has no parameter' : `its parameters are ${names.join(', ')}`;
  throw invalid(`there is no parameter \`${name}\` to change: ${known}`);
}

function requireFree(entries: readonly Entry[], name: string | undefined): void {
  if (entries.some((entry) => entry.name === name && name !== undefined))
    throw invalid(`there is a parameter \`${name}\` already`);
}

function withRenamed(entries: readonly Entry[], name: string, to: string): Entry[] {
  const index = indexOf(entries, name);
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(to)) throw invalid(`\`${to}\` is no name of a parameter`);
  requireFree(entries, to);
  return entries.map((entry, at) => (at === index ? { ...entry, name: to } : entry));
}

function withAdded(
  entries: readonly Entry[],
  added: AddedParameter,
  { before, rules }: { before: string | undefined; rules: SignatureRules },
): Entry[] {
  const { is, isOptional, name } = added.part;
  requireFree(entries, name?.name);
  const at = before === undefined ? endFor(entries, { isOptional, rules }) : indexOf(entries, before);
  return entries.toSpliced(at, 0, { is, name: name?.name, isOptional, added });
}

/** Returns where a parameter is added by default: as far behind as the others and the language permit. */
function endFor(
  entries: readonly Entry[],
  { isOptional, rules }: { isOptional: boolean; rules: SignatureRules },
): number {
  const rest = entries.findIndex(({ is }) => is === 'rest' || is === 'begin-of-keywords');
  const keywordRest = entries.findIndex(({ is }) => is === 'keyword-rest');
  if (rest !== -1 && rules.hasKeywords === true) return keywordRest === -1 ? entries.length : keywordRest;
  const optional = isOptional ? -1 : entries.findIndex((one) => byPosition(one.is) && one.isOptional);
  const ends = [optional, rest, keywordRest].filter((index) => index !== -1);
  return Math.min(entries.length, ...ends);
}

function ordered(entries: readonly Entry[], names: readonly string[]): Entry[] {
  const changeable = entries.filter(isChangeable);
  const chosen = names.map((name) => entries[indexOf(entries, name)]);
  if (new Set(names).size < changeable.length || names.length > changeable.length) {
    const all = changeable.map(({ name }) => `\`${name}\``).join(', ');
    throw invalid(`\`order\` needs each parameter once: ${all}`);
  }
  let next = 0;
  return entries.map((entry) => (isChangeable(entry) ? (chosen[next++] ?? entry) : entry));
}

function asKeyword(entries: readonly Entry[], name: string): Entry[] {
  const index = indexOf(entries, name);
  const [entry] = entries.slice(index, index + 1);
  if (entry === undefined || entry.is === 'keyword') throw invalid(`\`${name}\` is passed by its name only already`);
  const others = entries.toSpliced(index, 1);
  const begin = others.findIndex(({ is }) => is === 'rest' || is === 'begin-of-keywords');
  if (begin !== -1) return others.toSpliced(begin + 1, 0, entry);
  const rest = others.findIndex(({ is }) => is === 'keyword-rest');
  const at = rest === -1 ? others.length : rest;
  return others.toSpliced(at, 0, { is: 'begin-of-keywords', name: undefined, isOptional: false }, entry);
}

function asPositional(entries: readonly Entry[], name: string): Entry[] {
  const index = indexOf(entries, name);
  const [entry] = entries.slice(index, index + 1);
  if (entry?.is !== 'keyword') throw invalid(`\`${name}\` can be passed by its position already`);
  const others = entries.toSpliced(index, 1);
  const begin = others.findIndex(({ is }) => is === 'rest' || is === 'begin-of-keywords');
  const optional = others.findIndex((one) => byPosition(one.is) && one.isOptional);
  const at = entry.isOptional || optional === -1 ? begin : optional;
  return others.toSpliced(Math.max(at, 0), 0, { ...entry, is: 'either' });
}

/** Returns the entries without separators that separate nothing any more. */
function withoutIdleSeparators(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ is }, index) => {
    if (is === 'end-of-positional') return entries.slice(0, index).some((one) => one.is !== 'receiver');
    if (is !== 'begin-of-keywords') return true;
    const next = entries[index + 1];
    return next !== undefined && next.is !== 'keyword-rest';
  });
}

/** The order decides how parameters are passed. */
function withKinds(entries: readonly Entry[], { hasKeywords }: SignatureRules): Entry[] {
  const end = entries.findIndex(({ is }) => is === 'end-of-positional');
  const begin = entries.findIndex(({ is }) => is === 'rest' || is === 'begin-of-keywords');
  return entries.map((entry, index) => {
    if (!byPosition(entry.is) && entry.is !== 'keyword') return entry;
    if (hasKeywords !== true || index < end || entry.name === undefined) return { ...entry, is: 'positional' };
    return { ...entry, is: begin !== -1 && index > begin ? 'keyword' : 'either' };
  });
}

/** How the parameters of another declaration correspond to those that are changed. */
export type Correspondence =
  /** Index in the changed signature → index in the declaration's; absent ones are left out. */
  | { readonly is: 'mapped'; readonly indices: ReadonlyMap<number, number> }
  /** It takes whatever calls pass. */
  | { readonly is: 'any' }
  | { readonly is: 'different' };

/**
 * Returns how the parameters of a declaration that changes together with another one correspond to that one's. An
 * overload of the same function may have some of them only, by name.
 */
export function correspondence(
  old: readonly ParameterPart[],
  other: readonly ParameterPart[],
  { rules, isOverload }: { rules: SignatureRules; isOverload: boolean },
): Correspondence {
  const numbered = (parts: readonly ParameterPart[]) => parts.map((part, index) => ({ part, index }));
  const positional = (parts: readonly ParameterPart[]) => numbered(parts).filter(({ part }) => byPosition(part.is));
  const others = (parts: readonly ParameterPart[]) => numbered(parts).filter(({ part }) => !byPosition(part.is));
  const [own, theirs] = [positional(old), positional(other)];
  const indices = new Map<number, number>();
  for (const { part, index } of others(old)) {
    const same = others(other).find(
      (one) => one.part.is === part.is && (part.is !== 'keyword' || isNamesake(part, one.part)),
    );
    if (same !== undefined) indices.set(index, same.index);
    else if (part.is === 'keyword' && !isOverload) return isAny(other) ? { is: 'any' } : { is: 'different' };
  }
  if (isOverload && own.length !== theirs.length) return byName(own, theirs, indices);
  const isShorter = theirs.length < own.length && rules.mayTakeFewer === true;
  if (own.length !== theirs.length && !isShorter) return isAny(other) ? { is: 'any' } : { is: 'different' };
  for (const [position, { index }] of theirs.entries()) indices.set(own[position]?.index ?? -1, index);
  return { is: 'mapped', indices };
}

interface Numbered {
  readonly part: ParameterPart;
  readonly index: number;
}

function byName(own: readonly Numbered[], theirs: readonly Numbered[], indices: Map<number, number>): Correspondence {
  let reached = -1;
  for (const { part, index } of theirs) {
    const at = own.findIndex((one) => isNamesake(one.part, part));
    if (at <= reached) return { is: 'different' };
    reached = at;
    indices.set(own[at]?.index ?? -1, index);
  }
  return { is: 'mapped', indices };
}

function isNamesake({ name: a }: ParameterPart, { name: b }: ParameterPart): boolean {
  return a !== undefined && a.name === b?.name;
}

function isAny(parts: readonly ParameterPart[]): boolean {
  return parts.some(({ is }) => is === 'rest') && !parts.some(({ is }) => byPosition(is));
}
