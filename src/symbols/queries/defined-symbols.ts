import { mapConcurrently } from '../../base/concurrent.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import { comparePositions, placeAt } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { symbolAround } from '../model/at-position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, type SymbolNode } from '../model/symbol.ts';
import { prepareServer } from '../sync/cross-file.ts';
import { keepProjectLocations } from './project-locations.ts';
import { requireSupport } from './require-support.ts';

/** A name in a file. */
interface NameAt {
  readonly name: string;
  readonly start: Position;
}

/** The symbols of the project that names refer to, and the names that refer to something else. */
interface DefinedSymbols {
  readonly symbols: readonly SymbolNode[];
  /** Names that are defined outside the project's sources. */
  readonly outside: readonly string[];
}

/**
 * Returns the symbols that names in a project-relative file refer to, in their order. Names without a definition are
 * dropped.
 *
 * @throws {ExpectedError} `server.refused` if the server does not support finding definitions; `server.*`.
 */
export async function definedSymbols(
  scope: SymbolScope,
  file: string,
  names: readonly NameAt[],
): Promise<DefinedSymbols> {
  const { files, call } = scope;
  const active = files.sources.requireServer(file);
  const found = await files.ask(active, call, async (server) => {
    requireSupport(server, 'textDocument/definition', ['call `find_symbol` with the names in the body']);
    await prepareServer(scope, { active, server, missing: 'Definitions', file });
    await files.show(server, file, call);
    return await mapConcurrently(names, inFlightPerServer, async ({ name, start }) => {
      const { locations, others } = await requestDefinition(server, placeAt(file, start), files.limits(call));
      return { name, locations, isDefined: locations.length + others.length > 0 };
    });
  });
  const symbols = new Map<string, SymbolNode>();
  const outside = new Set<string>();
  for (const { name, locations, isDefined } of found) {
    const kept = (await keepProjectLocations(scope, locations)).filter(({ file: of }) => files.sources.serverOf(of));
    if (kept.length === 0 && isDefined) outside.add(name);
    for (const { file: of, range } of kept) {
      const symbol = symbolAround(await files.treeOf(of, call), range.start);
      // A parameter is inside a function, behind its name.
      if (symbol && comparePositions(range.start, symbol.selectionRange.end) <= 0) symbols.set(nameKey(symbol), symbol);
    }
  }
  return { symbols: [...symbols.values()], outside: [...outside].sort() };
}
