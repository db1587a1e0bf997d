import { parse } from 'node:path';
import { mapConcurrently } from '../../base/concurrent.ts';
import { isExpected } from '../../base/errors.ts';
import { relativeWithin } from '../../base/paths.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { comparePositions, type Position, type Range } from '../../lsp/documents/ranges.ts';
import {
  type Location,
  type PlaceInFile,
  requestDefinition,
  requestImplementations,
} from '../../lsp/features/locations.ts';
import type { IdentifierPlace, IdentifierResult } from '../../search/scan-protocol.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/catalog/spec.ts';
import { lexisOf } from '../../text/code-lexis.ts';
import { lineText } from '../../text/lines.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import type { TextSearch } from '../model/text-search.ts';
import { changeCount } from '../sync/cross-file.ts';
import { chooseOccurrences, type Occurrence, type Outcome, type Resolve } from './choose-occurrences.ts';
import type { EarlyAnswer } from './early-answer.ts';

/** A server reads one file at a time, and each open document costs it memory. */
const filesInFlight = 6;

/** A question about the references of a symbol. */
export interface ReferencesQuestion {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  readonly target: SymbolNode;
  /** Where its name is, in an open document. */
  readonly place: PlaceInFile;
  /** The name as it is written there. */
  readonly name: string;
  /** `undefined` where the text cannot be searched for the name. */
  readonly text: TextSearch | undefined;
  /** The server's references, where it was asked for them before. */
  readonly early?: EarlyAnswer<readonly Location[]> | undefined;
}

/** How much one cross-check may cost. */
export interface CrossCheckLimits {
  /** How many occurrences are resolved at most. */
  readonly occurrences: number;
  /** After how long no further file is looked into. */
  readonly ms: number;
}

/** What the text says about a server's answer. */
export interface CrossCheck {
  /** Occurrences of the name that resolve to the symbol although the server did not list them. */
  readonly missed: readonly Location[];
  /** Occurrences for which the server knows no definition. */
  readonly unresolved: readonly Occurrence[];
  /** Those that were not resolved, because there are too many. */
  readonly unchecked: readonly Occurrence[];
  /** Files that may contain the name but could not be read. */
  readonly unread: readonly string[];
}

const memberKinds: readonly number[] = [kinds.method, kinds.property, kinds.field];

const nothing: CrossCheck = { missed: [], unresolved: [], unchecked: [], unread: [] };

/**
 * Compares a server's references with the text: each occurrence of the name in code that is not among `found` is resolved
 * by `textDocument/definition`. One that resolves to the symbol, or to one of `found`, was missed; one that resolves
 * elsewhere is dropped. Beyond the limits one occurrence stands for those like it in its file; the rest stays unchecked.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function crossCheck(
  scope: SymbolScope,
  question: ReferencesQuestion,
  options: { found: readonly Location[]; text: IdentifierResult; limits: CrossCheckLimits },
): Promise<CrossCheck> {
  const { found, text, limits } = options;
  const overloads = await overloadsOf(scope, question.target);
  const candidates = withoutStrangers(scope, question, {
    found,
    candidates: candidatesOf(scope, question, { found, text, overloads }),
  });
  if (candidates.length === 0) return { ...nothing, unread: text.unread };
  const own = await ownPlaces(scope, question, found);
  const resolve = resolver(scope, question, {
    own,
    found: new Set(found.map(({ path }) => path)),
    deadline: performance.now() + limits.ms,
  });
  const { outcomes, unchecked } = await chooseOccurrences(candidates, limits.occurrences, resolve);
  const withOutcome = (wanted: Outcome) =>
    outcomes.filter(({ outcome }) => outcome === wanted).map(({ occurrence }) => occurrence);
  const missed = withOutcome('own').map(({ file, range }) => ({ path: scope.files.absolute(file), range }));
  return { missed, unresolved: withOutcome('unresolved'), unchecked, unread: text.unread };
}

/** Returns the occurrences that the server did not list and that may refer to the symbol. */
function candidatesOf(
  scope: SymbolScope,
  { active, target, place, name }: ReferencesQuestion,
  { found, text, overloads }: { found: readonly Location[]; text: IdentifierResult; overloads: readonly SymbolNode[] },
): Occurrence[] {
  // Servers list a qualified name as a whole.
  const listed = Map.groupBy(found, ({ path }) => path);
  const keyHere = (position: Position) => keyOf(place.path, position);
  const declared = new Set(
    [place.position, ...overloads.map(({ selectionRange }) => selectionRange.start)].map(keyHere),
  );
  const isKnown = (path: string, position: Position) =>
    declared.has(keyOf(path, position)) || listed.get(path)?.some(({ range }) => isWithin(range, position)) === true;
  const { sources } = scope.files;
  const region = localRegion(active, target);
  const isInRegion = (file: string, position: Position) =>
    region === undefined || (file === target.file && isWithin(region, position));
  return text.files.flatMap(({ path: file, places, hasOddBreaks }) => {
    if (sources.serverOf(file) !== active) return [];
    // The server counts other lines there, so that its places cannot be compared with these.
    if (hasOddBreaks && active.spec.lineBreaks !== undefined) return [];
    const path = scope.files.absolute(file);
    return places
      .filter((one) => !isKnown(path, one) && isInRegion(file, one))
      .map((one) => ({ file, range: rangeOf(one, name), qualifier: one.qualifier }));
  });
}

/** Returns the candidates without those in files that cannot refer to the symbol: their packages need not be analyzed. */
function withoutStrangers(
  scope: SymbolScope,
  { active, target, place, name }: ReferencesQuestion,
  { found, candidates }: { found: readonly Location[]; candidates: readonly Occurrence[] },
): readonly Occurrence[] {
  const rule = active.spec.quirks?.mayReferTo;
  if (rule === undefined || candidates.length === 0) return candidates;
  const texts = new Map<string, TextLines | undefined>();
  const textOf = (file: string) => {
    if (!texts.has(file))
      texts.set(
        file,
        orUnread(() => scope.files.textOf(file)),
      );
    return texts.get(file);
  };
  const lines = found.flatMap(({ path, range }) => {
    const file = relativeWithin(scope.files.project.root, path);
    const text = file === undefined ? undefined : textOf(file);
    return (text && lineText(text.text, text.starts, range.start.line)) ?? [];
  });
  const isTopLevel = target.parent === undefined;
  const mayRefer = rule({ path: place.path, name, isTopLevel, lines });
  return candidates.filter(({ file }) => {
    const text = textOf(file);
    return text === undefined || mayRefer(scope.files.absolute(file), text.text);
  });
}

function orUnread<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

/** Returns the definitions of the symbol's name in its scope, itself included: they declare it and do not refer to it. */
async function overloadsOf(scope: SymbolScope, target: SymbolNode): Promise<SymbolNode[]> {
  const siblings = target.parent?.children ?? (await scope.files.treeOf(target.file, scope.call));
  return siblings.filter(({ name }) => name === target.name);
}

/**
 * Returns the part of the file outside which nothing can refer to a symbol that is local to a function: members that a
 * function assigns, as of `this`, are not local.
 */
function localRegion(active: ActiveServer, { file, kind, parent }: SymbolNode): Range | undefined {
  const language = languageIdOf(active.spec, file) ?? '';
  if (lexisOf(language)?.leaksLocals === true || memberKinds.includes(kind)) return undefined;
  const isLocal = parent?.kind === kinds.function || parent?.kind === kinds.method;
  return isLocal ? parent.range : undefined;
}

function isWithin({ start, end }: Range, position: Position): boolean {
  return comparePositions(start, position) <= 0 && comparePositions(position, end) <= 0;
}

function rangeOf({ line, character }: IdentifierPlace, name: string): Range {
  return { start: { line, character }, end: { line, character: character + name.length } };
}

/** Where what an occurrence resolves to is the symbol itself; keys of places. */
interface OwnPlaces {
  /** Its declarations, with what implements it where the server leads there: no references themselves. */
  readonly declarations: ReadonlySet<string>;
  /** Its constructors, and known references such as imports. */
  readonly others: ReadonlySet<string>;
}

async function ownPlaces(
  scope: SymbolScope,
  { active, server, target, place }: ReferencesQuestion,
  found: readonly Location[],
): Promise<OwnPlaces> {
  const limits = scope.files.limits(scope.call);
  const at = keyOf(place.path, place.position);
  const resolved = resolvedBy(server);
  const ask = async (request: typeof requestDefinition) => keysOf(await orNothing(request(server, place, limits)));
  const canDefine = server.supports('textDocument/definition');
  const declared = canDefine ? await remembering(resolved, `declared ${at}`, () => ask(requestDefinition)) : [];
  const canImplement = active.spec.resolvesToImplementations === true && server.supports('textDocument/implementation');
  const implemented = canImplement
    ? await remembering(resolved, `implemented ${at}`, () => ask(requestImplementations))
    : [];
  const constructors = target.children.filter(({ kind }) => kind === kinds.constructor);
  return {
    declarations: new Set([at, ...declared, ...implemented]),
    others: new Set([
      ...keysOf(found),
      ...constructors.map(({ selectionRange }) => keyOf(place.path, selectionRange.start)),
    ]),
  };
}

function keysOf(locations: readonly Location[]): string[] {
  return locations.map(({ path, range }) => keyOf(path, range.start));
}

/** Keys of places that a server resolved others to, by what was resolved. */
type Resolved = Map<string, readonly string[]>;

/** What was resolved since files last changed; forgotten with the server. */
const remembered = new WeakMap<LanguageServer, { readonly changes: number; readonly resolved: Resolved }>();

function resolvedBy(server: LanguageServer): Resolved {
  const changes = changeCount(server);
  const known = remembered.get(server);
  if (known?.changes === changes) return known.resolved;
  const resolved: Resolved = new Map();
  remembered.set(server, { changes, resolved });
  return resolved;
}

async function remembering(
  resolved: Resolved,
  key: string,
  ask: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const known = resolved.get(key);
  if (known) return known;
  const keys = await ask();
  // A server may still learn what it does not know, as clangd does while it indexes.
  if (keys.length > 0) resolved.set(key, keys);
  return keys;
}

/** Returns the function that resolves occurrences, file by file until the deadline. */
function resolver(
  scope: SymbolScope,
  { server, name }: ReferencesQuestion,
  { own, found, deadline }: { found: ReadonlySet<string>; own: OwnPlaces; deadline: number },
): Resolve {
  const resolved = resolvedBy(server);
  const canDefine = server.supports('textDocument/definition');
  const limits = scope.files.limits(scope.call);
  const definitionsOf = ({ file, range }: Occurrence): Promise<readonly string[]> => {
    const path = scope.files.absolute(file);
    return remembering(resolved, keyOf(path, range.start), async () => {
      const places = await orNothing(requestDefinition(server, { path, position: range.start }, limits));
      return places.map((one) => (isModule(one, name) ? one.path : keyOf(one.path, one.range.start)));
    });
  };
  const outcomeOf = async (occurrence: Occurrence): Promise<Outcome> => {
    const itself = keyOf(scope.files.absolute(occurrence.file), occurrence.range.start);
    if (own.declarations.has(itself)) return 'elsewhere';
    const keys = await definitionsOf(occurrence);
    if (keys.length === 0) return 'unresolved';
    const isOwn = keys.some((key) => own.declarations.has(key) || own.others.has(key));
    return isOwn && !keys.includes(itself) ? 'own' : 'elsewhere';
  };
  return async (occurrences) => {
    if (!canDefine) return occurrences.map(() => 'unresolved');
    const outcomes = new Map<Occurrence, Outcome>();
    const byFile = Map.groupBy(occurrences, ({ file }) => file);
    await mapConcurrently([...byFile], filesInFlight, async ([file, inFile]) => {
      if (performance.now() > deadline) return;
      const path = scope.files.absolute(file);
      const isKnown = inFile.every(({ range }) => resolved.has(keyOf(path, range.start)));
      // Held, because the next files would otherwise close it before it is asked about.
      await server.documents.holding(path, async () => {
        const isShown = isKnown || (await canShow(scope, server, file));
        // An answer names the symbols around its references: to open the file a second time costs more.
        const symbols =
          isShown && found.has(path) ? scope.files.treeOf(file, scope.call).catch(() => undefined) : undefined;
        await mapConcurrently(inFile, inFlightPerServer, async (one) => {
          outcomes.set(one, isShown ? await outcomeOf(one) : 'unresolved');
        });
        await symbols;
      });
    });
    return occurrences.map((one) => outcomes.get(one));
  };
}

/** True if a definition is a module: servers place it at the start of its file, where a symbol may be as well. */
function isModule({ path, range: { start, end } }: Location, name: string): boolean {
  if (start.line > 0 || start.character > 0) return false;
  return comparePositions(start, end) === 0 || parse(path).name === name;
}

/** Opens a file in the server. Returns whether it could be read. */
export async function canShow(scope: SymbolScope, server: LanguageServer, file: string): Promise<boolean> {
  try {
    await scope.files.show(server, file, scope.call);
    return true;
  } catch (error) {
    if (isExpected(error) && error.code.startsWith('file.')) return false;
    throw error;
  }
}

/** Returns what the server answers, nothing where it refuses: some refuse to resolve what they do not know. */
async function orNothing(answer: Promise<readonly Location[]>): Promise<readonly Location[]> {
  try {
    return await answer;
  } catch (error) {
    if (isExpected(error, 'server.refused')) return [];
    throw error;
  }
}

/** Returns a key for a place in a file, given by its absolute path. */
export function keyOf(path: string, { line, character }: Position): string {
  return `${path}:${line}:${character}`;
}
