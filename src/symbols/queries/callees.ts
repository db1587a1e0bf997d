import { ExpectedError } from '../../base/errors.ts';
import type { Identifier } from '../../syntax/identifiers-in.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { isCalledAt } from '../../text/is-called-at.ts';
import { comparePlaces, comparePositions } from '../../text/place.ts';
import { offsetAt } from '../../text/position.ts';
import type { HierarchyStep } from '../model/hierarchy-step.ts';
import { isCallable } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';
import { definedSymbols } from './defined-symbols.ts';
import { serverNeighbors, symbolsOf, whyNotListed } from './hierarchy-neighbors.ts';

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
    .filter((symbol) => isCallable(symbol) || !isInside(symbol, source))
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

function isInside(inner: SymbolNode, outer: SymbolNode): boolean {
  return (
    inner.file === outer.file &&
    comparePositions(outer.range.start, inner.range.start) < 0 &&
    comparePositions(inner.range.end, outer.range.end) <= 0
  );
}
