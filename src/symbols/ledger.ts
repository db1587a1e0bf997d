import { mapConcurrently } from '../base/concurrent.ts';
import { profileOf } from '../languages/profiles.ts';
import { requestDefinition, requestReferences } from '../lsp/features/locations.ts';
import type { IdentifierResult } from '../search/scan-protocol.ts';
import type { ServerAdapter } from '../servers/adapter.ts';
import type { ActiveServer } from '../servers/assignment/source-files.ts';
import { languageIdOf } from '../servers/spec.ts';
import { lineText } from '../text/lines.ts';
import { contains, isOutside, isSamePlace, keyAt, type Place, placeAt, placeKey, type Range } from '../text/place.ts';
import type { Position } from '../text/position.ts';
import type { LanguageAdapter, NameQuestion } from './adapter.ts';
import { codeJudge } from './judges/code.ts';
import { declarationJudge, definitionJudge, isModule } from './judges/definition.ts';
import { inFlightPerServer } from './model/file-symbols.ts';
import { isMemberKind, kinds } from './model/kinds.ts';
import type { Occurrence } from './model/occurrence.ts';
import { adapterOf, answersOf, readable, type SymbolScope } from './model/scope.ts';
import type { ServerState } from './model/server-state.ts';
import { nameKey, namePlace, type SymbolNode } from './model/symbol.ts';
import { parsedOccurrences } from './queries/occurrences.ts';
import { type EarlyAnswer, tryShow, unlessRefused } from './queries/requests.ts';

/** What an occurrence of a symbol's name means: the symbol, something else, or nothing that is known. */
export type Verdict = 'own' | 'other' | 'open';

/** What a judge says about an occurrence. */
export interface Ruling {
  readonly verdict: Verdict;
  /** A clause: `the receiver has no known type`. */
  readonly reason: string;
}

/** A decided occurrence. */
export interface Entry extends Occurrence, Ruling {
  /** The name of the judge. */
  readonly judge: string;
  /** True if the server lists it as a reference. */
  readonly isListed: boolean;
}

/** An occurrence to decide. */
export interface Candidate extends Occurrence {
  readonly isListed: boolean;
  /** Returns the places that the server resolves an unlisted occurrence to, as keys (see {@link placeKey}). */
  definitions(): Promise<readonly string[]>;
  /** Returns what these say of it; see `definitionJudge`. */
  byDefinition(): Promise<Ruling | undefined>;
}

/** Decides what some occurrences mean. */
export interface Judge<Scope> {
  /** For people: `serena refs --explain` shows it. */
  readonly name: string;
  /**
   * Prepares what all occurrences of a symbol need. Returns a function that rules on one; `undefined` if there is nothing
   * to decide for this symbol. Of listed occurrences it should decide only that they are another symbol.
   *
   * @throws {ExpectedError} `server.*`, `file.*`.
   */
  open(scope: Scope, trial: Trial): Promise<Rule | undefined>;
}

/** Returns `undefined` if another judge has to decide. The file of an unlisted occurrence is open in the server. */
export type Rule = (candidate: Candidate) => Promise<Ruling | undefined>;

/** A query for the references to a symbol. */
export interface ReferencesQuestion extends NameQuestion {
  /** The server's references, if they were requested early. */
  readonly early?: EarlyAnswer<readonly Place[]> | undefined;
  /** True if references under other names are wanted too: to read them, not to rename them. */
  readonly followsAliases?: boolean;
}

/** What judges know of a symbol before they decide about its occurrences. */
export interface Trial extends ReferencesQuestion {
  /** The places that the server lists. For unlisted occurrences, only those that are references. */
  readonly listed: readonly Place[];
  /** Definitions of the symbol's name in its scope, itself included. */
  readonly overloads: readonly SymbolNode[];
  /** Other declarations of the symbol, such as specializations of a template: uses of them are uses of the symbol. */
  readonly declarations: readonly SymbolNode[];
}

/** Limits of one ledger. */
export interface LedgerLimits {
  /** Maximum number of occurrences to resolve. */
  readonly occurrences: number;
  /** Time in ms after which no further file is checked. */
  readonly ms: number;
}

/** Limits for queries that only read. A server resolves about one occurrence per ms in files that it has read. */
export const readLimits: LedgerLimits = { occurrences: 400, ms: 15_000 };
/** Limits before an edit, which a missed reference would make wrong. */
export const editLimits: LedgerLimits = { occurrences: 2_000, ms: 60_000 };

const weights = { own: 2, open: 1, other: 0 } as const;

/** The judge of occurrences that were not resolved because of {@link LedgerLimits}. */
const limit = 'limit';

/** The occurrences of a symbol's name, without its declaration, each with what it means. */
export class Ledger {
  readonly entries: readonly Entry[];
  /** Files that may contain the name but could not be read. */
  readonly unread: readonly string[];
  /** Occurrences of the name in code; absent if the text was not searched. */
  readonly text: IdentifierResult | undefined;

  constructor(parts: Pick<Ledger, 'entries' | 'unread' | 'text'>) {
    this.entries = parts.entries;
    this.unread = parts.unread;
    this.text = parts.text;
  }

  /** The references, those listed by the server first. */
  get own(): readonly Entry[] {
    return this.#of('own');
  }

  /** References that the server did not list. */
  get missed(): readonly Entry[] {
    return this.own.filter(({ isListed }) => !isListed);
  }

  /** Occurrences that the server did not list and that are something else. */
  get others(): readonly Entry[] {
    return this.#of('other').filter(({ isListed }) => !isListed);
  }

  /** What the server lists although it is another symbol. */
  get mistaken(): readonly Entry[] {
    return this.#of('other').filter(({ isListed }) => isListed);
  }

  /** Occurrences about which nothing is known. */
  get open(): readonly Entry[] {
    return this.#of('open');
  }

  /** Open occurrences that were examined. */
  get unresolved(): readonly Entry[] {
    return this.open.filter(({ judge }) => judge !== limit);
  }

  /** Open occurrences that were not examined, because there are too many. */
  get unchecked(): readonly Entry[] {
    return this.open.filter(({ judge }) => judge === limit);
  }

  /**
   * Returns a ledger with further entries. Of two at one place, `own` counts before `open`, and `open` before `other`: an
   * occurrence may be open for one server and a reference for another.
   */
  with(more: readonly Entry[]): Ledger {
    const byPlace = new Map(this.entries.map((entry) => [placeKey(entry), entry]));
    for (const entry of more) {
      const earlier = byPlace.get(placeKey(entry));
      if (earlier === undefined || weights[entry.verdict] >= weights[earlier.verdict]) {
        byPlace.set(placeKey(entry), entry);
      }
    }
    return new Ledger({ ...this, entries: [...byPlace.values()] });
  }

  /** Returns a ledger of two symbols that have the same name. */
  joined(other: Ledger): Ledger {
    return new Ledger({ ...this.with(other.entries), unread: [...new Set([...this.unread, ...other.unread])] });
  }

  /** Returns a ledger with only those of the open occurrences that matter. */
  withOpen(open: readonly Occurrence[]): Ledger {
    const kept = new Set(open.map(placeKey));
    const entries = this.entries.filter((entry) => entry.verdict !== 'open' || kept.has(placeKey(entry)));
    return new Ledger({ ...this, entries });
  }

  #of(verdict: Verdict): readonly Entry[] {
    return this.entries.filter((entry) => entry.verdict === verdict);
  }
}

/** Returns entries of places without a ruling of their own. */
export function entriesAt(places: readonly Place[], ruling: Ruling & { readonly judge: string }): Entry[] {
  return places.map(({ file, range }) => ({ file, range, qualifier: '', ...ruling, isListed: false }));
}

/**
 * Returns the occurrences of a symbol's name with what they mean: those that the server lists as references, and each
 * other occurrence of the name in the project's code. Servers omit files and regions that their configuration excludes.
 * The judges are asked in order: those of the language, then what the code says, where the server's definition leads,
 * and whether a call fits; the first answer counts.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function openLedger(
  scope: SymbolScope,
  question: ReferencesQuestion,
  limits: LedgerLimits,
): Promise<Ledger> {
  const { active, server, target } = question;
  // The scanner searches while the server answers.
  const search = question.text?.();
  const answered = await listedReferences(scope, question, limits);
  const programs = await active.spec.adapter?.otherPrograms?.(
    server,
    namePlace(target),
    scope.files.limits(scope.call),
  );
  const listed = distinct(answered).filter(({ file }) => programs?.has(file) !== true);
  const adapter = await adapterOf(scope, active, target.file);
  const heard = { ...question, listed, overloads: [], declarations: [] };
  const ofListed = await decideListed(
    scope,
    heard,
    await rulesOf(scope, heard, [...(adapter.judges ?? []), codeJudge]),
  );
  if (search === undefined) return new Ledger({ entries: ofListed, unread: [], text: undefined });
  const searched = await search;
  const text = { ...searched, files: searched.files.filter(({ path }) => programs?.has(path) !== true) };
  const parts = { adapter, ofListed, text, limits };
  const entries = [...ofListed, ...(await decideUnlisted(scope, question, parts))];
  return new Ledger({ entries, unread: text.unread, text });
}

async function listedReferences(
  scope: SymbolScope,
  { active, server, target, early }: ReferencesQuestion,
  limits: LedgerLimits,
): Promise<readonly Place[]> {
  const request = active.spec.quirks?.references ?? requestReferences;
  const ask = async () => {
    return (await early?.current()) ?? (await request(server, namePlace(target), scope.files.limits(scope.call)));
  };
  // An edit needs the server's latest answer.
  const known = limits === readLimits ? answersOf(scope, active, server)?.references : undefined;
  return (await known?.answer(nameKey(target), scope.gaps, ask)) ?? (await ask());
}

/** Returns locations without repetitions: jdtls lists the calls of generated accessors of a field twice. */
function distinct(locations: readonly Place[]): readonly Place[] {
  return [...new Map(locations.map((location) => [JSON.stringify(location), location])).values()];
}

type NamedRule = readonly [name: string, rule: Rule];

async function rulesOf(
  scope: SymbolScope,
  trial: Trial,
  judges: readonly Judge<SymbolScope>[],
): Promise<readonly NamedRule[]> {
  const rules: NamedRule[] = [];
  for (const judge of judges) {
    const rule = await judge.open(scope, trial);
    if (rule !== undefined) rules.push([judge.name, rule]);
  }
  return rules;
}

async function firstRuling(
  rules: readonly NamedRule[],
  candidate: Candidate,
): Promise<(Ruling & Pick<Entry, 'judge'>) | undefined> {
  for (const [judge, rule] of rules) {
    const ruling = await rule(candidate);
    if (ruling !== undefined) return { ...ruling, judge };
  }
  return undefined;
}

/** A listed place is a reference unless a judge knows better. */
async function decideListed(
  scope: SymbolScope,
  { server, listed }: Trial,
  rules: readonly NamedRule[],
): Promise<readonly Entry[]> {
  const itself = { verdict: 'own', reason: `${server.name} lists it`, judge: 'server' } as const;
  const entries: Entry[] = [];
  for (const { file, range } of listed) {
    const place = { file, range, qualifier: '', isListed: true };
    const isRead = rules.length > 0 && !isOutside(place) && readable(scope, file) !== undefined;
    const nothing = { definitions: async () => [], byDefinition: async () => undefined };
    const ruling = isRead ? await firstRuling(rules, { ...place, ...nothing }) : undefined;
    entries.push({ ...place, ...(ruling ?? itself) });
  }
  return entries;
}

interface LedgerParts {
  readonly adapter: LanguageAdapter<SymbolScope>;
  readonly ofListed: readonly Entry[];
  readonly text: IdentifierResult;
  readonly limits: LedgerLimits;
}

/**
 * Decides each occurrence of the name in code ({@link parsedOccurrences}) that the server does not list. Those beyond
 * the limits stay open; see {@link decideInGroups}.
 */
async function decideUnlisted(
  scope: SymbolScope,
  question: ReferencesQuestion,
  { adapter, ofListed, text, limits }: LedgerParts,
): Promise<readonly Entry[]> {
  const listed = ofListed.filter(({ verdict }) => verdict === 'own');
  const isTarget = (place: Place) => isSamePlace(place, namePlace(question.target));
  const declarations = (await adapter.specializations?.(scope, question, text.files, isTarget)) ?? [];
  const declared = new Set(declarations.map(nameKey));
  const overloads = (await overloadsOf(scope, question.target)).filter((one) => !declared.has(nameKey(one)));
  const trial: Trial = { ...question, listed, overloads, declarations };
  const candidatesIn = (files: SearchedFiles) => candidatesOf(scope, trial, { known: ofListed, files });
  const doubtful = new Set(candidatesIn(text.files).map(({ file }) => file));
  const files = text.files.filter(({ path }) => doubtful.has(path));
  const parsed = await parsedOccurrences(scope, files, { name: question.name, limitMs: limits.ms / 5 });
  const candidates = withoutUnrelatedFiles(scope, trial, candidatesIn(parsed));
  if (candidates.length === 0) return [];
  const deadline = performance.now() + limits.ms;
  const decide = await decider(scope, trial, { judges: adapter.judges ?? [], deadline });
  return await decideInGroups(candidates, limits.occurrences, decide);
}

type SearchedFiles = IdentifierResult['files'];

/** Returns the occurrences that may refer to the symbol and that the server did not list. */
function candidatesOf(
  scope: SymbolScope,
  { active, target, name, overloads }: Trial,
  { known, files }: { known: readonly Entry[]; files: SearchedFiles },
): Occurrence[] {
  const listed = new Set(known.map(placeKey));
  // A listed range may be a qualified name that contains the occurrence.
  const longer = Map.groupBy(
    known.filter(({ range }) => range.end.line > range.start.line || lengthOf(range) > name.length),
    ({ file }) => file,
  );
  const declared = new Set([target, ...overloads].map(nameKey));
  const isKnown = (file: string, position: Position) =>
    declared.has(keyAt(file, position)) ||
    listed.has(keyAt(file, position)) ||
    longer.get(file)?.some(({ range }) => contains(range, position)) === true;
  const { sources } = scope.files;
  const region = localRegion(active, target);
  const isInRegion = (file: string, position: Position) =>
    region === undefined || (file === target.file && contains(region, position));
  return files.flatMap(({ path: file, places, hasOddBreaks }) => {
    if (sources.serverOf(file) !== active) return [];
    // The server counts lines differently there, so that positions cannot be compared.
    if (hasOddBreaks && active.spec.quirks?.lineBreaks !== undefined) return [];
    return places
      .filter((one) => !isKnown(file, one) && isInRegion(file, one))
      .map((one) => ({ ...placeAt(file, one, one.length ?? name.length), qualifier: one.qualifier }));
  });
}

/** Drops candidates in files that cannot refer to the symbol, so that the server need not analyze their packages. */
function withoutUnrelatedFiles(
  scope: SymbolScope,
  trial: Trial,
  candidates: readonly Occurrence[],
): readonly Occurrence[] {
  const { active, server, target } = trial;
  const mayReferTo = active.spec.adapter?.mayReferTo;
  if (mayReferTo === undefined || candidates.length === 0) return candidates;
  const { resolved } = scope.files.stateOf(server);
  const key = `unrelated ${nameKey(target)}`;
  const known = resolved.get(key) ?? unrelatedFiles(scope, { ...trial, mayReferTo }, candidates);
  resolved.set(key, known);
  const unrelated = new Set(known);
  return candidates.filter(({ file }) => !unrelated.has(file));
}

/** Returns the project-relative paths of the candidates' files that cannot refer to the symbol. */
function unrelatedFiles(
  scope: SymbolScope,
  { target, name, listed, mayReferTo }: Trial & { mayReferTo: NonNullable<ServerAdapter['mayReferTo']> },
  candidates: readonly Occurrence[],
): string[] {
  const textOf = (file: string) => readable(scope, file);
  const lines = [...Map.groupBy(listed, ({ file }) => file)].flatMap(([file, locations]) => {
    const text = isOutside({ file }) ? undefined : textOf(file);
    return text ? locations.flatMap(({ range }) => lineText(text.text, text.starts, range.start.line) ?? []) : [];
  });
  const path = scope.files.absolute(target.file);
  const mayRefer = mayReferTo({ path, name, isTopLevel: target.parent === undefined, lines });
  return [...new Set(candidates.map(({ file }) => file))].filter((file) => {
    const text = textOf(file);
    return text !== undefined && !mayRefer(scope.files.absolute(file), text.text);
  });
}

/** Returns all definitions of the symbol's name in its scope, itself included: they are not references. */
async function overloadsOf(scope: SymbolScope, target: SymbolNode): Promise<SymbolNode[]> {
  const siblings = target.parent?.children ?? (await scope.files.view(target.file, scope.call).tree);
  return siblings.filter(({ name }) => name === target.name);
}

/**
 * Returns the only range that can refer to a symbol that is local to a function; `undefined` for other symbols. Members
 * that a function assigns, such as those of `this`, are not local.
 */
function localRegion(active: ActiveServer, { file, kind, parent }: SymbolNode): Range | undefined {
  const language = languageIdOf(active.spec, file) ?? '';
  if (profileOf(language)?.lexis?.leaksLocals === true || isMemberKind(kind)) return undefined;
  const isLocal = parent?.kind === kinds.function || parent?.kind === kinds.method;
  return isLocal ? parent.range : undefined;
}

/** Returns the number of UTF-16 code units in a range within one line. */
function lengthOf({ start, end }: Range): number {
  return end.character - start.character;
}

/** A ruling with the judge's name; `undefined` for an occurrence not examined before the deadline. */
type Decision = (Ruling & Pick<Entry, 'judge'>) | undefined;

/** Returns the decisions about occurrences, in the given order. */
type Decide = (occurrences: readonly Occurrence[]) => Promise<readonly Decision[]>;

/** A server reads one file at a time, and each open document costs it memory. */
const filesInFlight = 6;

/** Returns the function that decides about unlisted occurrences, file by file until the deadline. */
async function decider(
  scope: SymbolScope,
  trial: Trial,
  { judges, deadline }: { judges: readonly Judge<SymbolScope>[]; deadline: number },
): Promise<Decide> {
  const { server } = trial;
  if (!server.supports('textDocument/definition')) {
    return async (all) =>
      all.map(() => ({ verdict: 'open', reason: `${server.name} finds no definitions`, judge: 'server' }));
  }
  const { resolved } = scope.files.stateOf(server);
  const [byDefinition] = await rulesOf(scope, trial, [definitionJudge]);
  const rules = await rulesOf(scope, trial, [declarationJudge, ...judges, codeJudge, definitionJudge]);
  const candidateOf = (occurrence: Occurrence): Candidate => {
    const candidate: Candidate = {
      ...occurrence,
      isListed: false,
      definitions: () => definitionsOf(scope, trial, occurrence),
      byDefinition: async () => await byDefinition?.[1](candidate),
    };
    return candidate;
  };
  const listed = new Set(trial.listed.map(({ file }) => file));
  return async (occurrences) => {
    const decisions = new Map<Occurrence, Decision>();
    const byFile = Map.groupBy(occurrences, ({ file }) => file);
    await mapConcurrently([...byFile], filesInFlight, async ([file, inFile]) => {
      if (performance.now() > deadline) return;
      const isKnown = inFile.every((one) => resolved.has(placeKey(one)));
      // Held open: otherwise opening the next files could close it before its occurrences are resolved.
      await server.documents.holding(file, async () => {
        const isShown = isKnown || (await tryShow(scope, server, file));
        // The answer needs the symbols of files with references; requesting them later would open the file again.
        const needsSymbols = isShown && !isKnown && listed.has(file);
        const symbols = needsSymbols ? scope.files.treeOf(file, scope.call).catch(() => undefined) : undefined;
        await mapConcurrently(inFile, inFlightPerServer, async (one) => {
          const ruling = isShown ? await firstRuling(rules, candidateOf(one)) : undefined;
          decisions.set(one, ruling ?? { ...undecided(one, isShown), judge: 'none' });
        });
        await symbols;
      });
    });
    return occurrences.map((one) => decisions.get(one));
  };
}

function undecided({ qualifier }: Occurrence, isShown: boolean): Ruling {
  if (!isShown) return { verdict: 'open', reason: 'the file cannot be read' };
  const isMember = /[.>:]\s*$/.test(qualifier);
  return { verdict: 'open', reason: isMember ? 'what it belongs to has no known type' : 'it has no known definition' };
}

/** Returns the places that the server resolves an occurrence to, as keys; of a module, its file. */
function definitionsOf(
  scope: SymbolScope,
  { server, name }: Trial,
  occurrence: Occurrence,
): Promise<readonly string[]> {
  return cached(scope.files.stateOf(server).resolved, placeKey(occurrence), async () => {
    // Some servers refuse to resolve unknown names.
    const found = await unlessRefused(() => requestDefinition(server, occurrence, scope.files.limits(scope.call)));
    const keys = found?.locations.map((one) => (isModule(one, name) ? one.file : placeKey(one)));
    return [...(keys ?? []), ...(found?.others ?? [])];
  });
}

/** Returns what a server resolved before, or asks it. */
export async function cached(
  resolved: ServerState['resolved'],
  key: string,
  ask: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const known = resolved.get(key);
  if (known) return known;
  const keys = await ask();
  // Do not cache an empty answer: a server that is still indexing, such as clangd, may find a definition later.
  if (keys.length > 0) resolved.set(key, keys);
  return keys;
}

/**
 * Decides about occurrences: all of them if there are at most `most`. Otherwise, decides about one occurrence for each
 * file and qualifier, because those usually mean the same. The others of such a group are left out if the first one is
 * something else, and decided as far as the limit allows if it is not. Groups beyond the limit stay open.
 */
export async function decideInGroups(
  occurrences: readonly Occurrence[],
  most: number,
  decide: Decide,
): Promise<readonly Entry[]> {
  if (occurrences.length <= most) return decideAll(occurrences, decide);
  const groups = [...Map.groupBy(occurrences, ({ file, qualifier }) => `${file}\0${qualifier}`).values()];
  const checked = groups.slice(0, most);
  const firsts = checked.flatMap(([one]) => (one ? [one] : []));
  const first = await decideAll(firsts, decide);
  const other = new Set(firsts.filter((_, index) => first[index]?.verdict === 'other'));
  const alike = checked.flatMap(([one, ...others]) => (one && other.has(one) ? [] : others));
  const more = await decideAll(alike.slice(0, most - checked.length), decide);
  const beyond = [...groups.slice(most).flat(), ...alike.slice(most - checked.length)];
  const left = { verdict: 'open', reason: 'there are too many occurrences to check', judge: limit } as const;
  return [...first, ...more, ...beyond.map((one) => ({ ...one, ...left, isListed: false }))];
}

async function decideAll(occurrences: readonly Occurrence[], decide: Decide): Promise<readonly Entry[]> {
  const decisions = await decide(occurrences);
  const late = { verdict: 'open', reason: 'it was not checked in time', judge: limit } as const;
  return occurrences.map((one, index) => ({ ...one, ...(decisions[index] ?? late), isListed: false }));
}
