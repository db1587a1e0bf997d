import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import { requestHover } from '../../lsp/features/hover.ts';
import { isUnavailable } from '../model/file-symbols.ts';
import type { SymbolScope } from '../model/scope.ts';
import { namePlace, type SymbolNode } from '../model/symbol.ts';
import { importedDocumentation } from './imported-implementations.ts';

/**
 * Returns the hover text of each symbol, or the documentation of an imported index where no language server can be had.
 * Symbols without one are absent.
 *
 * After `budgetMs` (0 = no limit) the remaining symbols are skipped. Skipped and failed symbols become a gap.
 */
export async function hoverInfo(
  scope: SymbolScope,
  symbols: readonly SymbolNode[],
  budgetMs: number,
): Promise<ReadonlyMap<SymbolNode, string>> {
  const infos = new Map<SymbolNode, string>();
  const deadline = budgetMs === 0 ? Number.POSITIVE_INFINITY : performance.now() + budgetMs;
  let left = 0;
  const failures = new Set<string>();
  await mapConcurrently(symbols, 4, async (symbol) => {
    if (performance.now() >= deadline) return void left++;
    try {
      const info = await hoverOf(scope, symbol);
      if (info !== undefined) infos.set(symbol, info);
    } catch (error) {
      scope.call.signal.throwIfAborted();
      if (!(error instanceof ExpectedError)) throw error;
      const imported = isUnavailable(error) ? importedDocumentation(scope, symbol) : undefined;
      if (imported !== undefined) return void infos.set(symbol, imported);
      left++;
      failures.add(error.message);
    }
  });
  if (left > 0) {
    scope.gaps.push({
      missing: `Information about ${left} of ${counted(symbols.length, 'symbol')} is missing`,
      reason: [...failures][0] ?? 'the time limit `symbol_info_budget` was reached',
      next: 'Narrow the search, or raise `symbol_info_budget`',
    });
  }
  return infos;
}

function hoverOf(scope: SymbolScope, symbol: SymbolNode): Promise<string | undefined> {
  const { files, call } = scope;
  const active = files.sources.requireServer(symbol.file);
  return files.ask(active, call, async (server) => {
    await files.show(server, symbol.file, call);
    return requestHover(server, namePlace(symbol), files.limits(call));
  });
}
