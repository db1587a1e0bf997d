import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError } from '../../base/errors.ts';
import { requestImplementations } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { isInImport } from '../../text/identifiers.ts';
import { comparePlaces, contains, isSamePlace, type Place, placeKey, type Range } from '../../text/place.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { writtenName } from '../edits/edited-symbol.ts';
import { symbolAt } from '../model/at-position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { acceptsKind, type KindFilter, kinds } from '../model/kinds.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';
import { namePlace, preOrder, type SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import { textSearch } from '../model/text-search.ts';
import type { NameQuestion } from '../occurrences/ledger.ts';
import { entriesAt, readLimits } from '../occurrences/ledger.ts';
import type { Occurrence } from '../occurrences/occurrence.ts';
import { openLedger } from '../occurrences/open-ledger.ts';
import { prepareSearch } from '../prepare-servers/prepare-search.ts';
import { keepProjectLocations } from './project-locations.ts';
import { reportOpen } from './report-open.ts';
import { requireSupport } from './requests.ts';

const request = 'textDocument/implementation';

/** Hints if the server does not support finding implementations. */
const otherWays = [
  'call `find_referencing_symbols` on the class or interface: its subtypes refer to it',
  'call `find_symbol` with the bare name of a method to find all its definitions',
];

/** A declaration with a type on one line, up to its value. */
const declaration =
  /^\s*(?:(?:export|declare|const|let|var|public|private|protected|static|readonly|override|accessor)\s+)*[\p{L}\p{N}_$#]+[?!]?\s*:\s*(?<type>.*?)\s*=\s*\(*$/u;
/** Types that contain the type in question: of functions, objects and collections. */
const holder = /^(?:new\s*)?(?:<[^=]*>\s*)?\(.*=>|^(?:\{|(?:Weak|Readonly)?(?:Map|Set|Array)<|Record<)/;

/**
 * Returns the symbols that implement `target`, sorted by file and position. An implementation that no known symbol
 * contains becomes a gap.
 *
 * @throws {ExpectedError} `server.refused` if the server does not support finding implementations; `server.*`,
 *   `install.*`.
 */
export async function findImplementations(
  scope: SymbolScope,
  target: SymbolNode,
  options: { kinds: KindFilter },
): Promise<SymbolNode[]> {
  const active = scope.files.sources.requireServer(target.file);
  const symbols = await implementingSymbols(scope, active, target);
  const unique = new Map<string, SymbolNode>();
  for (const symbol of symbols) {
    if (!symbol || !acceptsKind(options.kinds, symbol.kind)) continue;
    const { line, character } = symbol.range.start;
    const key = [symbol.file, line, character, symbol.kind].join('\0');
    if (!unique.has(key)) unique.set(key, symbol);
  }
  return [...unique.values()];
}

async function implementingSymbols(
  scope: SymbolScope,
  active: ActiveServer,
  target: SymbolNode,
): Promise<readonly (SymbolNode | undefined)[]> {
  const { files, call } = scope;
  const isSupported = await files.ask(active, call, async (server) => server.supports(request));
  const isUsable = isSupported && active.spec.quirks?.implementationIsDefinition !== true;
  const { implementations } = isUsable ? {} : await adapterOf(scope, active, target.file);
  const found = await implementations?.(scope, active, target);
  if (found !== undefined) return found;
  const locations = await implementationLocations(scope, active, target);
  return mapConcurrently(locations, inFlightPerServer, (location) => symbolAtLocation(scope, target, location));
}

async function implementationLocations(scope: SymbolScope, active: ActiveServer, target: SymbolNode): Promise<Place[]> {
  const { files, call } = scope;
  const { omittedImplementations } = await adapterOf(scope, active, target.file);
  const locations = await files.ask(active, call, async (server) => {
    requireSupport(server, request, otherWays);
    const { file } = target;
    const position = target.selectionRange.start;
    const sought = (active.spec.quirks?.hasImplicitInterfaces && firstMethod(target)) || target;
    const missing = 'Implementations';
    await prepareSearch(scope, { active, server, file, position, literal: sought.name, missing });
    await files.show(server, file, call);
    const ask = active.spec.quirks?.implementations ?? requestImplementations;
    const name = writtenName(sought, files.textOf(sought.file));
    const text = textSearch(scope, { active, name });
    const elsewhere = await checkText(scope, { active, server, target, sought, name, text });
    // Afterwards: jdtls 1.59 finds anonymous classes in static initializers only in documents that were opened.
    const listed = await ask(server, namePlace(target), files.limits(call));
    const question = { active, server, target, name, text };
    const found = [...listed, ...((await omittedImplementations?.(scope, question, listed)) ?? [])];
    const known = new Set(found.map(placeKey));
    return [...found, ...elsewhere.filter((location) => !known.has(placeKey(location)))];
  });
  return (await keepProjectLocations(scope, locations)).sort(comparePlaces);
}

/** An implementations query of a server that has the target's file open; the name is that of `sought`. */
interface TextQuestion extends NameQuestion {
  /** The target, or the method that every implementation has. */
  readonly sought: SymbolNode;
}

/**
 * Returns the implementations in files of other build configurations. Adds a gap for occurrences of the name that the
 * server cannot resolve: each may belong to an implementation.
 */
async function checkText(
  scope: SymbolScope,
  { active, server, target, sought, name, text }: TextQuestion,
): Promise<readonly Place[]> {
  if (!server.supports('textDocument/references') || text === undefined) return [];
  const ledger = await openLedger(scope, { active, server, target: sought, name, text }, readLimits);
  const wantsTypes = sought !== target;
  const occurrences = await text();
  const { conditionalImplementations } = await adapterOf(scope, active, sought.file);
  const question = { active, server, sought, wantsTypes, text: occurrences };
  const conditional = (await conditionalImplementations?.(scope, question)) ?? { locations: [], unresolved: [] };
  // A class may be referred to through its module; the declaration of a method never has a qualifier.
  const mayDeclare = ({ qualifier }: Occurrence) => isTypeKind(sought.kind) || qualifier === '';
  const inactive = { verdict: 'open', reason: 'no build contains it', judge: 'builds' } as const;
  const declaring = ledger.withOpen(ledger.open.filter(mayDeclare)).with(entriesAt(conditional.unresolved, inactive));
  reportOpen(scope, declaring, { name, missing: 'Implementations' });
  return conditional.locations;
}

function isTypeKind(kind: number): boolean {
  return kind === kinds.class || kind === kinds.interface || kind === kinds.struct;
}

function firstMethod({ children }: SymbolNode): SymbolNode | undefined {
  return children.find(({ kind }) => kind === kinds.method);
}

async function symbolAtLocation(
  scope: SymbolScope,
  target: SymbolNode,
  location: Place,
): Promise<SymbolNode | undefined> {
  const { file, range } = location;
  try {
    if (onlyHolds(scope, target, location)) return undefined;
    const symbol = symbolAt(await scope.files.treeOf(file, scope.call), range.start);
    const implementing = symbol && preferSameName(target, symbol);
    // Anonymous classes that the file's symbols do not contain are inside the target's class.
    const isTargetItself = implementing && isSamePlace(target, implementing) && !isInside(target, location);
    if (implementing && !isTargetItself) return implementing;
    // Servers also list re-exports of an implementation, which the answer already contains.
    if (isAmongImports(scope.files.textOf(file), range)) return undefined;
    return reportUnlisted(scope, location, 'the file has no symbol at this position');
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    // The server may still know a deleted file.
    return error.code === 'file.not-found' ? undefined : reportUnlisted(scope, location, error.message);
  }
}

/**
 * True if an expression that the server lists as an implementation of a type only holds or returns its values. TypeScript
 * lists each literal and function whose declared type mentions the type: `shapes: Shape[] = []`,
 * `make: () => Shape = () => square`.
 *
 * @throws {ExpectedError} `file.*`.
 */
function onlyHolds(scope: SymbolScope, target: SymbolNode, { file, range }: Place): boolean {
  const adapter = scope.files.sources.serverOf(file)?.spec.adapter;
  const isType = target.kind === kinds.interface || target.kind === kinds.class || target.kind === kinds.variable;
  if (adapter?.editChecks?.structuralTypes !== 'all' || !isType) return false;
  const lines = scope.files.textOf(file);
  const start = spanOf(lines, range)?.start;
  if (start === undefined) return false;
  const line = lines.text.slice(lines.starts[range.start.line], start);
  return lines.text[start] === '[' || holder.test(declaration.exec(line)?.groups?.type ?? '');
}

/** True if a place begins in the symbol. */
function isInside({ file, range }: SymbolNode, place: Place): boolean {
  return file === place.file && contains(range, place.range.start);
}

function isAmongImports(lines: TextLines, range: Range): boolean {
  const span = spanOf(lines, range);
  return span !== undefined && isInImport(lines.text, span.start);
}

/**
 * Some servers report the class instead of its method: then returns the smallest symbol with the target's name and
 * kind.
 */
function preferSameName(target: SymbolNode, found: SymbolNode): SymbolNode {
  const isCallable = target.kind === kinds.function || target.kind === kinds.method;
  const hasSameName = (symbol: SymbolNode) => symbol.name === target.name && symbol.kind === target.kind;
  if (!isCallable || hasSameName(found)) return found;
  const lines = ({ range }: SymbolNode) => range.end.line - range.start.line;
  const [smallest] = preOrder(found.children)
    .filter(hasSameName)
    .sort((a, b) => lines(a) - lines(b));
  return smallest ?? found;
}

function reportUnlisted(scope: SymbolScope, { file, range }: Place, reason: string): undefined {
  scope.gaps.push({
    missing: `An implementation in \`${file}\`, line ${range.start.line} (0-based), is not listed`,
    reason,
    next: 'Read the file around that line',
  });
}
