import { remainingMs } from '../../base/call.ts';
import { mapConcurrently } from '../../base/concurrent.ts';
import { profileOf } from '../../languages/profiles.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { ServerAdapter } from '../../servers/adapter.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { lineText } from '../../text/lines.ts';
import {
  contains,
  isOutside,
  isSamePlace,
  keyAt,
  type Place,
  placeAt,
  placeKey,
  type Range,
} from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import type { LanguageAdapter } from '../adapter.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { isMemberKind, kinds } from '../model/kinds.ts';
import { adapterOf, answersOf, readable, type SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { tryShow } from '../queries/requests.ts';
import { bindingJudge } from './judge-by-binding.ts';
import { callFitJudge } from './judge-by-call-fit.ts';
import { codeJudge } from './judge-by-code.ts';
import { declarationJudge, definitionJudge, definitionsOf, ownPositions } from './judge-by-definition.ts';
import {
  type Candidate,
  type Entry,
  type Inquiry,
  type Judge,
  Ledger,
  type LedgerLimits,
  limitJudge,
  type OwnPositions,
  type ReferencesQuestion,
  type Rule,
  type Ruling,
  readLimits,
} from './ledger.ts';
import type { Occurrence } from './occurrence.ts';
import { parsedOccurrences } from './parsed-occurrences.ts';

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
  const ofListed = await decideListed(scope, { ...question, listed }, [...(adapter.judges ?? []), codeJudge]);
  if (search === undefined) return new Ledger({ entries: ofListed, unread: [], text: undefined });
  const searched = await search;
  const text = { ...searched, files: searched.files.filter(({ path }) => programs?.has(path) !== true) };
  const parts = { adapter, ofListed, text, limits };
  const entries = [...ofListed, ...(await decideUnlisted(scope, question, parts))];
  const byName = (await adapter.usesByName?.(scope, question)) ?? [];
  return new Ledger({ entries, unread: text.unread, text }).with(byName);
}

/** Returns the references that the server lists. For queries that only read, an answer is remembered until files change. */
export async function listedReferences(
  scope: SymbolScope,
  { active, server, target, early }: Omit<ReferencesQuestion, 'name' | 'text'>,
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

/** What is known of a symbol before it is certain that there is something to decide. */
type Unprepared = Omit<Inquiry, 'own'>;

type NamedRule = readonly [name: string, rule: Rule];

async function rulesOf(
  scope: SymbolScope,
  inquiry: Inquiry,
  judges: readonly Judge<SymbolScope>[],
): Promise<readonly NamedRule[]> {
  const rules: NamedRule[] = [];
  for (const judge of judges) {
    const rule = await judge.open(scope, inquiry);
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

const unknownPositions: OwnPositions = { declarations: new Set(), references: new Set() };

/** A listed place is a reference unless a judge knows better. */
async function decideListed(
  scope: SymbolScope,
  question: ReferencesQuestion & Pick<Inquiry, 'listed'>,
  judges: readonly Judge<SymbolScope>[],
): Promise<readonly Entry[]> {
  const { server, listed } = question;
  const inquiry = { ...question, overloads: [], declarations: [], own: unknownPositions };
  const rules = await rulesOf(scope, inquiry, judges);
  const itself = { verdict: 'own', reason: 'the language server lists it', judge: 'server' } as const;
  const nothing = { definitions: async () => [], byDefinition: async () => undefined };
  const decide = async ({ file, range }: Place, isRead: boolean) => {
    const place = { file, range, qualifier: '', isListed: true };
    return { ...place, ...((isRead && (await firstRuling(rules, { ...place, ...nothing }))) || itself) };
  };
  const byFile = [...Map.groupBy(listed, ({ file }) => file)];
  const entries = await mapConcurrently(byFile, filesInFlight, async ([file, own]) => {
    const isRead = rules.length > 0 && !isOutside({ file }) && readable(scope, file) !== undefined;
    const decided = () => mapConcurrently(own, inFlightPerServer, (place) => decide(place, isRead));
    return isRead ? await server.documents.holding(file, decided) : await decided();
  });
  return entries.flat();
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
  const inquiry: Unprepared = { ...question, listed, overloads, declarations };
  const candidatesIn = (files: SearchedFiles) => candidatesOf(scope, inquiry, { known: ofListed, files });
  const doubtful = new Set(candidatesIn(text.files).map(({ file }) => file));
  const files = text.files.filter(({ path }) => doubtful.has(path));
  const parsed = await parsedOccurrences(scope, files, { name: question.name, limitMs: limits.ms / 5 });
  const candidates = withoutUnrelatedFiles(scope, inquiry, candidatesIn(parsed));
  if (candidates.length === 0) return [];
  const deadline = performance.now() + Math.max(limits.ms, (remainingMs(scope.call) ?? 0) * limits.share);
  const decide = await decider(scope, inquiry, { judges: adapter.judges ?? [], deadline });
  return await decideInGroups(candidates, limits.occurrences, decide);
}

type SearchedFiles = IdentifierResult['files'];

/** Returns the occurrences that may refer to the symbol and that the server did not list. */
function candidatesOf(
  scope: SymbolScope,
  { active, target, name, overloads }: Unprepared,
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
      .map(({ length = name.length, qualifier, binding, ...at }) => ({
        ...placeAt(file, at, length),
        qualifier,
        ...(binding && { binding }),
      }));
  });
}

/** Drops candidates in files that cannot refer to the symbol, so that the server need not analyze their packages. */
function withoutUnrelatedFiles(
  scope: SymbolScope,
  inquiry: Unprepared,
  candidates: readonly Occurrence[],
): readonly Occurrence[] {
  const { active, server, target } = inquiry;
  const mayReferTo = active.spec.adapter?.mayReferTo;
  if (mayReferTo === undefined || candidates.length === 0) return candidates;
  const { resolved } = scope.files.stateOf(server);
  const key = `unrelated ${nameKey(target)}`;
  const known = resolved.get(key) ?? unrelatedFiles(scope, { ...inquiry, mayReferTo }, candidates);
  resolved.set(key, known);
  const unrelated = new Set(known);
  return candidates.filter(({ file }) => !unrelated.has(file));
}

/** Returns the project-relative paths of the candidates' files that cannot refer to the symbol. */
function unrelatedFiles(
  scope: SymbolScope,
  { target, name, listed, mayReferTo }: Unprepared & { mayReferTo: NonNullable<ServerAdapter['mayReferTo']> },
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
  unprepared: Unprepared,
  { judges, deadline }: { judges: readonly Judge<SymbolScope>[]; deadline: number },
): Promise<Decide> {
  const { server } = unprepared;
  if (!server.supports('textDocument/definition'))
    return await deciderByCode(scope, { ...unprepared, own: unknownPositions });
  const inquiry = { ...unprepared, own: await ownPositions(scope, unprepared) };
  const { resolved } = scope.files.stateOf(server);
  const rules = await rulesOf(scope, inquiry, [
    declarationJudge,
    ...judges,
    bindingJudge,
    codeJudge,
    definitionJudge,
    callFitJudge,
  ]);
  const byDefinition = new Map(rules).get(definitionJudge.name);
  const candidateOf = (occurrence: Occurrence): Candidate => {
    // Several judges may ask; the server is asked once.
    let definitions: Promise<readonly string[]> | undefined;
    const candidate: Candidate = {
      ...occurrence,
      isListed: false,
      definitions: () => {
        definitions ??= definitionsOf(scope, inquiry, occurrence);
        return definitions;
      },
      byDefinition: async () => await byDefinition?.(candidate),
    };
    return candidate;
  };
  const listed = new Set(inquiry.listed.map(({ file }) => file));
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
          const candidate = candidateOf(one);
          const ruling = isShown ? await firstRuling(rules, candidate) : unreadable;
          decisions.set(one, ruling ?? (await undecided(scope, inquiry, candidate)));
        });
        await symbols;
      });
    });
    return occurrences.map((one) => decisions.get(one));
  };
}

/** Returns the function that decides for a server that finds no definitions. */
async function deciderByCode(scope: SymbolScope, inquiry: Inquiry): Promise<Decide> {
  const open = { verdict: 'open', reason: 'the language server finds no definitions', judge: 'server' } as const;
  const rules = await rulesOf(scope, inquiry, [callFitJudge]);
  const nothing = { isListed: false, definitions: async () => [], byDefinition: async () => undefined };
  return (all) => mapConcurrently(all, 1, async (one) => (await firstRuling(rules, { ...one, ...nothing })) ?? open);
}

const unreadable = { verdict: 'open', reason: 'the file cannot be read', judge: 'none' } as const;

async function undecided(
  scope: SymbolScope,
  { active }: Inquiry,
  { file, qualifier, definitions }: Candidate,
): Promise<Decision> {
  const isResolved = (await definitions()).length > 0;
  const { whyUnresolved } = isResolved ? {} : await adapterOf(scope, active, file);
  const why = whyUnresolved?.(file, readable(scope, file)?.text ?? '');
  if (why !== undefined) return { verdict: 'open', reason: why, judge: 'none' };
  const isMember = /[.>:]\s*$/.test(qualifier);
  const unknown = isMember ? 'what it belongs to has no known type' : 'it has no known definition';
  return { verdict: 'open', reason: isResolved ? 'its definition does not show what it is' : unknown, judge: 'none' };
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
  // The arguments of a call say nothing about the next one.
  const isAlike = (entry: Entry | undefined) => entry?.verdict === 'other' && entry.judge !== callFitJudge.name;
  const other = new Set(firsts.filter((_, index) => isAlike(first[index])));
  const alike = checked.flatMap(([one, ...others]) => (one && other.has(one) ? [] : others));
  const more = await decideAll(alike.slice(0, most - checked.length), decide);
  const beyond = [...groups.slice(most).flat(), ...alike.slice(most - checked.length)];
  const left = { verdict: 'open', reason: 'there are too many occurrences to check', judge: limitJudge } as const;
  return [...first, ...more, ...beyond.map((one) => ({ ...one, ...left, isListed: false }))];
}

async function decideAll(occurrences: readonly Occurrence[], decide: Decide): Promise<readonly Entry[]> {
  const decisions = await decide(occurrences);
  const late = { verdict: 'open', reason: 'it was not checked in time', judge: limitJudge } as const;
  return occurrences.map((one, index) => ({ ...one, ...(decisions[index] ?? late), isListed: false }));
}
