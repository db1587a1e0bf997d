import { capitalized } from '../../base/capitalized.ts';
import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import {
  type HierarchyKind,
  type HierarchyNeighbor,
  hierarchyRequests,
  requestHierarchy,
  supportsHierarchy,
} from '../../lsp/features/hierarchy.ts';
import type { Identifier } from '../../syntax/identifiers.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { namesInHeader } from '../../text/definition-syntax.ts';
import { isCalledAt, isInImport } from '../../text/identifiers.ts';
import { comparePlaces, comparePositions, type Place, placeKey, type Range } from '../../text/place.ts';
import { offsetAt, type Position, positionAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { fileNode, symbolAt } from '../model/at-position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { isCallable, kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { type HierarchyStep, namePlace, preOrder, type Related, type SymbolNode } from '../model/symbol.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';
import { spanOf } from '../model/text-range.ts';
import { prepareSearch } from '../prepare-servers/prepare-search.ts';
import { definedSymbols } from './declaration.ts';
import { findImplementations } from './implementations.ts';
import { reportImplicitCalls, typeMadeBy, typeOfImplicitCalls } from './implicit-calls.ts';
import { keepProjectLocations } from './project-locations.ts';
import { type Reference, referenceLocations, referencesAt } from './references.ts';
import { unlessRefused } from './requests.ts';

/** Asks the server of `target` for its neighbors; `undefined` if it does not list them. */
async function serverNeighbors(
  scope: SymbolScope,
  target: SymbolNode,
  kind: HierarchyKind,
): Promise<readonly HierarchyNeighbor[] | undefined> {
  const { files, call } = scope;
  const { file, name: literal, selectionRange } = target;
  const position = selectionRange.start;
  const active = files.sources.requireServer(file);
  return await files.ask(active, call, async (server) => {
    if (!supportsHierarchy(server, kind)) return undefined;
    await prepareSearch(scope, { active, server, file, position, literal, missing: capitalized(kind) });
    await files.show(server, file, call);
    // clangd before version 20 declares call hierarchies, and rejects the request for outgoing calls.
    return await unlessRefused(() => requestHierarchy(server, { ...namePlace(target), kind }, files.limits(call)));
  });
}

/** Returns why a server does not list the neighbors of a symbol, as the beginning of a sentence. */
async function whyNotListed(scope: SymbolScope, target: SymbolNode, kind: HierarchyKind): Promise<string> {
  const active = scope.files.sources.requireServer(target.file);
  const { prepare, request } = hierarchyRequests[kind];
  return await scope.files.ask(active, scope.call, async (server: LanguageServer) =>
    supportsHierarchy(server, kind)
      ? `${server.name} has no answer to \`${request}\` for \`${target.name}\``
      : `${server.name} does not support \`${prepare}\``,
  );
}

/** Returns the symbols that a server's neighbors are, sorted by file and position, and the names of those outside. */
async function symbolsOf(
  scope: SymbolScope,
  neighbors: readonly HierarchyNeighbor[],
): Promise<Pick<HierarchyStep, 'related' | 'outside'>> {
  const inFiles = neighbors.flatMap(({ file, range }) => (file === undefined ? [] : [{ file, range }]));
  const kept = await keepProjectLocations(scope, inFiles);
  const isKept = ({ file, range }: HierarchyNeighbor) =>
    kept.some((one) => one.file === file && one.range.start.line === range.start.line);
  const outside = neighbors.filter((one) => !isKept(one)).map(({ name }) => name);
  const related = await mapConcurrently(kept, inFlightPerServer, async (location) => {
    const symbol = await symbolAtName(scope, location);
    return { symbol, lines: [symbol.selectionRange.start.line] };
  });
  return { related: related.sort((a, b) => comparePlaces(a.symbol, b.symbol)), outside: [...new Set(outside)].sort() };
}

async function symbolAtName(scope: SymbolScope, { file, range }: Place): Promise<SymbolNode> {
  const hasServer = scope.files.sources.serverOf(file) !== undefined;
  const tree = hasServer ? await scope.files.treeOf(file, scope.call) : [];
  return symbolAt(tree, range.start) ?? fileNode(file, scope.files.textOf(file).starts.length);
}

/**
 * Returns the symbols that contain calls of `target`, sorted by file and position: the calls that the server lists, and
 * the references that are calls although it does not list them. The references are compared with the text, and what
 * this leaves open becomes a gap. If the server lists no calls, every reference outside imports counts.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function findCallers(scope: SymbolScope, target: SymbolNode): Promise<HierarchyStep> {
  const type = typeMadeBy(scope, target);
  if (type === undefined) reportImplicitCalls(scope, target);
  const locations = await locationsOf(scope, { target, type, missing: 'Callers' });
  const neighbors = await serverNeighbors(scope, target, 'callers');
  const listed = (neighbors ?? []).flatMap(({ file, calls }) =>
    file === undefined ? [] : calls.map((range) => ({ file, range })),
  );
  const calls = await keepProjectLocations(scope, listed);
  // Calls without the name, such as those of constructors and operators.
  const unnamed = calls.filter((call) => !locations.some((location) => isInside(location, call)));
  const references = await referencesAt(scope, target, [...locations, ...unnamed].sort(comparePlaces));
  const isListed = ({ symbol: { file }, range }: Reference) => calls.some((call) => isInside({ file, range }, call));
  const isCall = (reference: Reference) =>
    isListed(reference) || isUse(reference.text, reference.range, { mayBeValue: neighbors === undefined });
  const related = groupedBySymbol(references.filter(isCall));
  if (neighbors !== undefined) return { related, outside: [] };
  const why = await whyNotListed(scope, target, 'callers');
  const derivation = `${why}: the callers are the symbols that refer to \`${target.name}\`, whether or not they call it`;
  return { related, outside: [], derivation };
}

/**
 * Returns the symbols that contain references to `target` outside imports, sorted by file and position; see {@link
 * findCallers}. Users of a type use its members that code calls without their names, such as `__call__`.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function findUsers(scope: SymbolScope, target: SymbolNode): Promise<HierarchyStep> {
  const type = typeOfImplicitCalls(scope, target);
  const locations = await locationsOf(scope, { target, type, missing: 'References' });
  const references = await referencesAt(scope, target, locations);
  const uses = references.filter(({ text, range }) => isUse(text, range, { mayBeValue: true }));
  return { related: groupedBySymbol(uses), outside: [] };
}

/** Returns the references to a symbol, and those to the type whose uses call it without its name. */
async function locationsOf(
  scope: SymbolScope,
  { target, type, missing }: { target: SymbolNode; type: SymbolNode | undefined; missing: string },
): Promise<readonly Place[]> {
  const own = await referenceLocations(scope, target, { followsAliases: true, missing });
  const made = type ? await referenceLocations(scope, type, { followsAliases: true, missing }) : [];
  return [...own, ...made].sort(comparePlaces);
}

function isInside(inner: Place, outer: Place): boolean {
  return (
    inner.file === outer.file &&
    comparePositions(outer.range.start, inner.range.start) <= 0 &&
    comparePositions(inner.range.end, outer.range.end) <= 0
  );
}

function isUse(lines: TextLines, range: Range, { mayBeValue }: { mayBeValue: boolean }): boolean {
  const span = spanOf(lines, range);
  if (span === undefined || isInImport(lines.text, span.start)) return false;
  return mayBeValue || isCalledAt(lines.text, span.end);
}

function groupedBySymbol(references: readonly Reference[]): Related[] {
  const byCaller = Map.groupBy(references, ({ symbol }) => placeKey(callerOf(symbol)));
  return [...byCaller.values()].flatMap((own) => {
    const symbol = own[0] && callerOf(own[0].symbol);
    return symbol ? [{ symbol, lines: [...new Set(own.map(({ range }) => range.start.line))] }] : [];
  });
}

/** Returns the function around a local variable whose value contains a call. */
function callerOf(symbol: SymbolNode): SymbolNode {
  const { parent } = symbol;
  const isVariable = (one: SymbolNode) => one.kind === kinds.variable || one.kind === kinds.constant;
  return isVariable(symbol) && parent && (isVariable(parent) || isCallable(parent)) ? callerOf(parent) : symbol;
}

/** Names that are resolved in one body; each is a request. */
const maxNames = 400;

/**
 * Returns the symbols that the body of `source` calls, sorted by file and position: those that the server lists,
 * otherwise the definitions of the names in the body that arguments follow.
 *
 * @throws {ExpectedError} `server.refused` if neither can be had; `server.*`.
 */
export async function findCallees(scope: SymbolScope, source: SymbolNode): Promise<HierarchyStep> {
  const neighbors = await serverNeighbors(scope, source, 'callees');
  if (neighbors !== undefined) return await symbolsOf(scope, neighbors);
  const why = await whyNotListed(scope, source, 'callees');
  const called = await calledNames(scope, source, why);
  if (called.length > maxNames) {
    scope.gaps.push({
      missing: `Callees of \`${source.name}\` are missing`,
      reason: `its body has ${called.length} calls, of which the first ${maxNames} were resolved`,
      next: 'Call `symbol_hierarchy` with its members',
    });
  }
  const { symbols, outside } = await definedSymbols(scope, source.file, called.slice(0, maxNames));
  const related = symbols
    .filter((symbol) => isCallable(symbol) || !isBelow(symbol, source))
    .map((symbol) => ({ symbol, lines: [symbol.selectionRange.start.line] }));
  const derivation = `${why}: the callees are the definitions of the names in the body of \`${source.name}\` that arguments follow`;
  return { related: related.sort((a, b) => comparePlaces(a.symbol, b.symbol)), outside, derivation };
}

/** @throws {ExpectedError} `server.refused` if the file cannot be parsed. */
async function calledNames(scope: SymbolScope, source: SymbolNode, why: string): Promise<Identifier[]> {
  const { spec } = scope.files.sources.requireServer(source.file);
  const language = syntaxLanguageOf(spec, source.file);
  if (language === undefined) {
    throw new ExpectedError(
      'server.refused',
      `${why}, and \`${source.file}\` cannot be parsed to find the calls in it`,
      {
        hints: ['call `find_symbol` with `include_body` and read the calls'],
      },
    );
  }
  const { text, starts } = scope.files.textOf(source.file);
  const identifiers = await syntaxTrees.identifiers(language, text);
  return identifiers.filter(({ name, start }) => {
    const offset = offsetAt(text, starts, start);
    const isWithin =
      comparePositions(source.selectionRange.end, start) <= 0 && comparePositions(start, source.range.end) < 0;
    return isWithin && offset !== undefined && isCalledAt(text, offset + name.length);
  });
}

/** True if a symbol begins in another one, behind its start. */
function isBelow(inner: SymbolNode, outer: SymbolNode): boolean {
  return isInside(inner, outer) && comparePositions(outer.range.start, inner.range.start) < 0;
}

const typeKinds: ReadonlySet<number> = new Set([
  kinds.class,
  kinds.interface,
  kinds.struct,
  kinds.enum,
  // `impl Trait for Type` of Rust.
  kinds.object,
]);

/** True for classes, interfaces, and other symbols that may have supertypes. */
export function isTypeSymbol({ kind }: SymbolNode): boolean {
  return typeKinds.has(kind);
}

/** Returns the names of supertypes in the header of a type, with their positions. */
export function typesInHeader(
  scope: SymbolScope,
  symbol: SymbolNode,
): { readonly name: string; readonly start: Position }[] {
  const { text, starts } = scope.files.textOf(symbol.file);
  // The name of an `impl` block is its whole header.
  const isImplementation = symbol.kind === kinds.object;
  const from = isImplementation ? symbol.range.start : symbol.selectionRange.end;
  const start = offsetAt(text, starts, from) ?? text.length;
  const names = namesInHeader(text, start, { areInParentheses: /\.pyi?$/.test(symbol.file) });
  const isTrait = (offset: number) => /^[^{;]*?\sfor\s/.test(text.slice(offset));
  return names
    .filter(({ offset }) => !isImplementation || isTrait(offset))
    .map(({ name, offset }) => ({ name, start: positionAt(text, starts, offset) }));
}

/** True if a position is that of a supertype's name in the header of a type. */
function isInHeader(scope: SymbolScope, symbol: SymbolNode, position: Position): boolean {
  return typesInHeader(scope, symbol).some(({ start }) => comparePositions(start, position) === 0);
}

/**
 * Returns the direct supertypes of a type, sorted by file and position: those that the server lists, otherwise the types
 * that its header names; in Rust, the traits in the headers of its `impl` blocks.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function findSupertypes(scope: SymbolScope, type: SymbolNode): Promise<HierarchyStep> {
  const neighbors = await serverNeighbors(scope, type, 'supertypes');
  if (neighbors !== undefined) return await symbolsOf(scope, neighbors);
  const found = new Map<string, SymbolNode>();
  const outside = new Set<string>();
  for (const header of await headersOf(scope, type)) {
    const defined = await definedSymbols(scope, header.file, typesInHeader(scope, header));
    for (const name of defined.outside) outside.add(name);
    for (const symbol of defined.symbols) {
      if (isTypeSymbol(symbol)) found.set(`${symbol.file}:${symbol.range.start.line}:${symbol.name}`, symbol);
    }
  }
  const related = [...found.values()].map((symbol) => ({ symbol, lines: [symbol.selectionRange.start.line] }));
  return {
    related: related.sort((a, b) => comparePlaces(a.symbol, b.symbol)),
    outside: [...outside].sort(),
    derivation: `${await whyNotListed(scope, type, 'supertypes')}: the supertypes are the types that the header of \`${type.name}\` names`,
  };
}

/** Returns the symbols whose headers name the supertypes of a type: itself, and its `impl` blocks. */
async function headersOf(scope: SymbolScope, type: SymbolNode): Promise<readonly SymbolNode[]> {
  if (type.kind === kinds.interface) return [type];
  const { spec } = scope.files.sources.requireServer(type.file);
  if (syntaxLanguageOf(spec, type.file) !== 'rust') return [type];
  const blocks = await findImplementations(scope, type, { kinds: { include: [], exclude: [] } });
  return [type, ...blocks];
}

/**
 * Returns the direct subtypes of a type, sorted by file and position: those that the server lists, otherwise the types
 * whose headers refer to it. Those references are compared with the text, and what this leaves open becomes a gap.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function findSubtypes(scope: SymbolScope, type: SymbolNode): Promise<HierarchyStep> {
  const neighbors = await serverNeighbors(scope, type, 'subtypes');
  if (neighbors !== undefined) return await symbolsOf(scope, neighbors);
  const { files, call } = scope;
  const locations = await referenceLocations(scope, type, { followsAliases: true, missing: 'Subtypes' });
  const own = locations.filter(({ file }) => files.sources.serverOf(file) !== undefined);
  const byFile = [...Map.groupBy(own, ({ file }) => file)];
  const found = await mapConcurrently(byFile, inFlightPerServer, async ([file, uses]) => {
    const types = preOrder(await files.treeOf(file, call)).filter(isTypeSymbol);
    return types.filter((one) => uses.some(({ range }) => isInHeader(scope, one, range.start)));
  });
  const related = found.flat().map((symbol) => ({ symbol, lines: [symbol.selectionRange.start.line] }));
  return {
    related: related.sort((a, b) => comparePlaces(a.symbol, b.symbol)),
    outside: [],
    derivation: `${await whyNotListed(scope, type, 'subtypes')}: the subtypes are the types whose headers refer to \`${type.name}\``,
  };
}
