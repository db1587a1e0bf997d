import { comparePlaces } from '../../text/place.ts';
import type { HierarchyStep } from '../model/hierarchy-step.ts';
import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';
import { definedSymbols } from './defined-symbols.ts';
import { serverNeighbors, symbolsOf, whyNotListed } from './hierarchy-neighbors.ts';
import { findImplementations } from './implementations.ts';
import { isTypeSymbol, typesInHeader } from './types-in-header.ts';

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
