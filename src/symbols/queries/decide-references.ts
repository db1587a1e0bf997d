import { parse } from 'node:path';
import { mapConcurrently } from '../../base/concurrent.ts';
import { profileOf } from '../../languages/profiles.ts';
import { requestDefinition, requestImplementations } from '../../lsp/features/locations.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { ServerAdapter } from '../../servers/adapter.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { lineText } from '../../text/lines.ts';
import {
  comparePositions,
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
import type { LanguageAdapter, NameQuestion, ResolvedReferences } from '../adapter.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { isMemberKind, kinds } from '../model/kinds.ts';
import type { Occurrence, Outcome } from '../model/occurrence.ts';
import { adapterOf, readable, type SymbolScope } from '../model/scope.ts';
import type { ServerState } from '../model/server-state.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { isDoubtful, isNoAnswer } from './doubtful-answers.ts';
import { parsedOccurrences, type Resolve, resolveOccurrences } from './occurrences.ts';
import { meansOtherBinding } from './other-bindings.ts';
import { type EarlyAnswer, tryShow, unlessRefused } from './requests.ts';
import { TargetInCode } from './target-in-code.ts';

/** A server reads one file at a time, and each open document costs it memory. */
const filesInFlight = 6;

/** A query for the references to a symbol. */
export interface ReferencesQuestion extends NameQuestion {
  /** The server's references, if they were requested early. */
  readonly early?: EarlyAnswer<readonly Place[]> | undefined;
  /** True if references under other names are wanted too: to read them, not to rename them. */
  readonly followsAliases?: boolean;
}

/** Limits of one cross-check. */
export interface CrossCheckLimits {
  /** Maximum number of occurrences to resolve. */
  readonly occurrences: number;
  /** Time in ms after which no further file is checked. */
  readonly ms: number;
}

/** Differences between a server's references and the occurrences in the text. */
export interface CrossCheck extends Pick<ResolvedReferences, 'unresolved' | 'unchecked' | 'unread'> {
  /** Occurrences of the name that resolve to the symbol although the server did not list them. */
  readonly missed: readonly Place[];
  /** Occurrences of the name that resolve to something else. */
  readonly elsewhere: readonly Occurrence[];
}

type SearchedFiles = IdentifierResult['files'];

/** The result without occurrences to check. */
export const nothing: CrossCheck = { missed: [], unresolved: [], unchecked: [], unread: [], elsewhere: [] };

/**
 * Compares a server's references with the text: each occurrence of the name in code ({@link parsedOccurrences}) that is
 * not in `found` is resolved by `textDocument/definition`. One that resolves to the symbol, to a specialization of it
 * or to a location in `found` was missed; one that resolves elsewhere is dropped. Limits: {@link resolveOccurrences}.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function crossCheck(
  scope: SymbolScope,
  question: ReferencesQuestion,
  options: {
    found: readonly Place[];
    /** What the server listed, and certainly is another symbol. */
    others: readonly Place[];
    text: IdentifierResult;
    limits: CrossCheckLimits;
  },
): Promise<CrossCheck> {
  const { found, others, text, limits } = options;
  const isTarget = (place: Place) => isSamePlace(place, namePlace(question.target));
  const adapter = await adapterOf(scope, question.active, question.target.file);
  const specializations = (await adapter.specializations?.(scope, question, text.files, isTarget)) ?? [];
  const specialized = new Set(specializations.map(nameKey));
  const overloads = (await overloadsOf(scope, question.target)).filter((one) => !specialized.has(nameKey(one)));
  const inCode = TargetInCode.of(scope, question.active, question.target);
  const candidatesIn = (files: SearchedFiles) =>
    candidatesOf(scope, question, { found: [...found, ...others], files, overloads });
  const doubtful = new Set(candidatesIn(text.files).map(({ file }) => file));
  const files = text.files.filter(({ path }) => doubtful.has(path));
  const candidates = withoutUnrelatedFiles(scope, question, {
    found,
    candidates: candidatesIn(await parsedOccurrences(scope, files, { name: question.name, limitMs: limits.ms / 5 })),
  });
  if (candidates.length === 0) return { ...nothing, unread: text.unread };
  const own = await ownPositions(scope, question, found);
  const resolve = resolver(scope, question, {
    adapter,
    own,
    specialized,
    inCode,
    isOverloaded: overloads.length > 1,
    found: new Set(found.map(({ file }) => file)),
    deadline: performance.now() + limits.ms,
  });
  const { outcomes, unchecked } = await resolveOccurrences(candidates, limits.occurrences, resolve);
  const withOutcome = (expected: Outcome) =>
    outcomes.filter(({ outcome }) => outcome === expected).map(({ occurrence }) => occurrence);
  const missed = withOutcome('own');
  const [unresolved, elsewhere] = [withOutcome('unresolved'), withOutcome('elsewhere')];
  return { missed, unresolved, unchecked, unread: text.unread, elsewhere };
}

/** Returns the occurrences that may refer to the symbol and that the server did not list. */
function candidatesOf(
  scope: SymbolScope,
  { active, target, name }: ReferencesQuestion,
  { found, files, overloads }: { found: readonly Place[]; files: SearchedFiles; overloads: readonly SymbolNode[] },
): Occurrence[] {
  const listed = new Set(found.map(placeKey));
  // A listed range may be a qualified name that contains the occurrence.
  const longer = Map.groupBy(
    found.filter(({ range }) => range.end.line > range.start.line || lengthOf(range) > name.length),
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
  question: ReferencesQuestion,
  { found, candidates }: { found: readonly Place[]; candidates: readonly Occurrence[] },
): readonly Occurrence[] {
  const { active, server, target } = question;
  const mayReferTo = active.spec.adapter?.mayReferTo;
  if (mayReferTo === undefined || candidates.length === 0) return candidates;
  const { resolved } = scope.files.stateOf(server);
  const key = `unrelated ${nameKey(target)}`;
  const known = resolved.get(key) ?? unrelatedFiles(scope, { ...question, mayReferTo }, { found, candidates });
  resolved.set(key, known);
  const unrelated = new Set(known);
  return candidates.filter(({ file }) => !unrelated.has(file));
}

/** Returns the project-relative paths of the candidates' files that cannot refer to the symbol. */
function unrelatedFiles(
  scope: SymbolScope,
  { target, name, mayReferTo }: ReferencesQuestion & { mayReferTo: NonNullable<ServerAdapter['mayReferTo']> },
  { found, candidates }: { found: readonly Place[]; candidates: readonly Occurrence[] },
): string[] {
  const textOf = (file: string) => readable(scope, file);
  const lines = [...Map.groupBy(found, ({ file }) => file)].flatMap(([file, locations]) => {
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

/** Positions (see {@link keyOf}) that count as the symbol when an occurrence resolves to them. */
interface OwnPositions {
  /**
   * Its declarations and constructors, and its implementations if the server resolves to them. They are not references
   * themselves.
   */
  readonly declarations: ReadonlySet<string>;
  /** Its known references, such as imports. */
  readonly references: ReadonlySet<string>;
}

async function ownPositions(
  scope: SymbolScope,
  { active, server, target }: ReferencesQuestion,
  found: readonly Place[],
): Promise<OwnPositions> {
  const limits = scope.files.limits(scope.call);
  const place = namePlace(target);
  const at = placeKey(place);
  const { resolved } = scope.files.stateOf(server);
  const definitions = async () => {
    const leads = await unlessRefused(() => requestDefinition(server, place, limits));
    return leads?.locations.map(placeKey) ?? [];
  };
  const implementations = async () => {
    const leads = await unlessRefused(() => requestImplementations(server, place, limits));
    return leads?.map(placeKey) ?? [];
  };
  const canDefine = server.supports('textDocument/definition');
  const declared = canDefine ? await cached(resolved, `declared ${at}`, definitions) : [];
  const canImplement =
    active.spec.quirks?.resolvesToImplementations === true && server.supports('textDocument/implementation');
  const implemented = canImplement ? await cached(resolved, `implemented ${at}`, implementations) : [];
  const constructors = target.children.filter(({ kind }) => kind === kinds.constructor);
  return {
    declarations: new Set([at, ...declared, ...implemented, ...constructors.map(nameKey)]),
    references: new Set(found.map(placeKey)),
  };
}

async function cached(
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

interface ResolverParts {
  readonly adapter: LanguageAdapter<SymbolScope>;
  readonly own: OwnPositions;
  /** Positions of its specializations: they refer to the symbol, and so do their uses. */
  readonly specialized: ReadonlySet<string>;
  readonly inCode: TargetInCode | undefined;
  /** True if the symbol's scope has several definitions of its name. */
  readonly isOverloaded: boolean;
  /** The files with references. */
  readonly found: ReadonlySet<string>;
  readonly deadline: number;
}

/** Returns the function that resolves occurrences, file by file until the deadline. */
function resolver(
  scope: SymbolScope,
  question: ReferencesQuestion,
  { adapter, own, specialized, inCode, isOverloaded, found, deadline }: ResolverParts,
): Resolve {
  const { active, server, name } = question;
  const { resolved } = scope.files.stateOf(server);
  const canDefine = server.supports('textDocument/definition');
  const limits = scope.files.limits(scope.call);
  const definitionsOf = (occurrence: Occurrence): Promise<readonly string[]> => {
    return cached(resolved, placeKey(occurrence), async () => {
      // Some servers refuse to resolve unknown names.
      const found = await unlessRefused(() => requestDefinition(server, occurrence, limits));
      const keys = found?.locations.map((one) => (isModule(one, name) ? one.file : placeKey(one)));
      return [...(keys ?? []), ...(found?.others ?? [])];
    });
  };
  const outcomeOf = async (occurrence: Occurrence): Promise<Outcome> => {
    const itself = placeKey(occurrence);
    if (specialized.has(itself)) return 'own';
    if (own.declarations.has(itself)) return 'elsewhere';
    const byLanguage = await adapter.outcomeOf?.(scope, question, occurrence, isOverloaded);
    if (byLanguage !== undefined) return byLanguage;
    const keys = await definitionsOf(occurrence);
    const byCode = isDoubtful(scope, occurrence, keys) ? inCode?.outcomeOf(occurrence) : undefined;
    if (byCode !== undefined) return byCode;
    if (keys.length === 0) return 'unresolved';
    const isOwnKey = (key: string) => [own.references, own.declarations, specialized].some((keys) => keys.has(key));
    if (meansOtherBinding(scope, question, occurrence, { keys, ...own, isOwnKey })) return 'elsewhere';
    const isGuess = active.spec.adapter?.isDependentName !== undefined && !keys.every(isOwnKey);
    if (keys.some(isOwnKey) && !keys.includes(itself)) return isGuess ? 'unresolved' : 'own';
    return keys.every((key) => isNoAnswer(scope, question, occurrence, key)) ? 'unresolved' : 'elsewhere';
  };
  return async (occurrences) => {
    if (!canDefine) return occurrences.map(() => 'unresolved');
    const outcomes = new Map<Occurrence, Outcome>();
    const byFile = Map.groupBy(occurrences, ({ file }) => file);
    await mapConcurrently([...byFile], filesInFlight, async ([file, inFile]) => {
      if (performance.now() > deadline) return;
      const isKnown = inFile.every((one) => resolved.has(placeKey(one)));
      // Held open: otherwise opening the next files could close it before its occurrences are resolved.
      await server.documents.holding(file, async () => {
        const isShown = isKnown || (await tryShow(scope, server, file));
        // The answer needs the symbols of files with references; requesting them later would open the file again.
        const symbols =
          isShown && !isKnown && found.has(file)
            ? scope.files.treeOf(file, scope.call).catch(() => undefined)
            : undefined;
        await mapConcurrently(inFile, inFlightPerServer, async (one) => {
          const outcome = isShown ? await outcomeOf(one) : 'unresolved';
          const corrected = isShown ? await adapter.correctedOutcome?.(scope, question, one, outcome) : undefined;
          outcomes.set(one, corrected ?? outcome);
        });
        await symbols;
      });
    });
    return occurrences.map((one) => outcomes.get(one));
  };
}

/** True if a definition is a module: servers report the start of its file, where a symbol may begin as well. */
function isModule({ file, range: { start, end } }: Place, name: string): boolean {
  if (start.line > 0 || start.character > 0) return false;
  return comparePositions(start, end) === 0 || parse(file).name === name;
}
