import { isInImport } from '../../text/identifiers.ts';
import { isCalledAt } from '../../text/is-called-at.ts';
import { comparePlaces, comparePositions, type Place, placeKey, type Range } from '../../text/place.ts';
import type { TextLines } from '../../text/text-lines.ts';
import type { HierarchyStep, Related } from '../model/hierarchy-step.ts';
import { isCallable, kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import { serverNeighbors, whyNotListed } from './hierarchy-neighbors.ts';
import { keepProjectLocations } from './project-locations.ts';
import { type Reference, referenceLocations, referencesAt } from './references.ts';

/**
 * Returns the symbols that contain calls of `target`, sorted by file and position: the calls that the server lists, and
 * the references that are calls although it does not list them. The references are compared with the text, and what
 * this leaves open becomes a gap. If the server lists no calls, every reference outside imports counts.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function findCallers(scope: SymbolScope, target: SymbolNode): Promise<HierarchyStep> {
  const locations = await referenceLocations(scope, target, { followsAliases: true, missing: 'Callers' });
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
 * findCallers}.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function findUsers(scope: SymbolScope, target: SymbolNode): Promise<HierarchyStep> {
  const locations = await referenceLocations(scope, target, { followsAliases: true, missing: 'References' });
  const references = await referencesAt(scope, target, locations);
  const uses = references.filter(({ text, range }) => isUse(text, range, { mayBeValue: true }));
  return { related: groupedBySymbol(uses), outside: [] };
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
