import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError } from '../../base/errors.ts';
import { keyAt } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, preOrder, type SymbolNode } from '../model/symbol.ts';
import { textSearch } from '../model/text-search.ts';
import { definedSymbols } from './defined-symbols.ts';

/** Matches of the name of a deleted symbol in the code of a file. */
export interface Remaining {
  readonly file: string;
  readonly lines: readonly number[];
}

/** Matches of one name that are resolved. A server resolves about one per ms in files that it has read. */
const maxResolved = 60;

/**
 * Returns where code still has the names of deleted symbols, without what belongs to other symbols: a match is dropped if
 * it declares a symbol, or if the server finds another symbol there. Absent for names that are no identifiers.
 */
export async function remainingMatches(
  scope: SymbolScope,
  deleted: readonly SymbolNode[],
): Promise<Map<SymbolNode, readonly Remaining[]>> {
  const remaining = new Map<SymbolNode, readonly Remaining[]>();
  for (const symbol of deleted) {
    const active = scope.files.sources.serverOf(symbol.file);
    const search = active && textSearch(scope, { active, name: symbol.name });
    if (search === undefined) continue;
    const matches = (await search()).files.flatMap(({ path: file, places }) =>
      places.map((start) => ({ file, start })),
    );
    const others = await mapConcurrently(matches.slice(0, maxResolved), inFlightPerServer, async (match) =>
      (await meansAnother(scope, symbol.name, match)) ? match : undefined,
    );
    const dropped = new Set(others);
    const byFile = Map.groupBy(
      matches.filter((match) => !dropped.has(match)),
      ({ file }) => file,
    );
    remaining.set(
      symbol,
      [...byFile].map(([file, own]) => ({ file, lines: [...new Set(own.map(({ start }) => start.line))] })),
    );
  }
  return remaining;
}

/** True if a match of a name certainly belongs to a symbol that exists. */
async function meansAnother(
  scope: SymbolScope,
  name: string,
  { file, start }: { file: string; start: Position },
): Promise<boolean> {
  const isHere = (symbol: SymbolNode) => nameKey(symbol) === keyAt(file, start);
  try {
    if (preOrder(await scope.files.treeOf(file, scope.call)).some(isHere)) return true;
    const { symbols, outside } = await definedSymbols(scope, file, [{ name, start }]);
    return outside.length > 0 || symbols.some((symbol) => symbol.name === name);
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!(error instanceof ExpectedError)) throw error;
    return false;
  }
}
