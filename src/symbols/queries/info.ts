import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError } from '../../base/errors.ts';
import { requestHover } from '../../lsp/features/hover.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';

/**
 * Returns what the servers say on hovering over each symbol; symbols they say nothing of are absent.
 *
 * Once `budgetMs` is spent (0 = no limit) the rest is left out, which becomes a gap (`spec/tools.md` §7.6).
 *
 * @throws {ExpectedError} never for one symbol's failure: that symbol is left out, with a gap.
 */
export async function hoverInfo(
  scope: SymbolScope,
  symbols: readonly SymbolNode[],
  budgetMs: number,
): Promise<ReadonlyMap<SymbolNode, string>> {
  const infos = new Map<SymbolNode, string>();
  const deadline = budgetMs === 0 ? Number.POSITIVE_INFINITY : Date.now() + budgetMs;
  let left = 0;
  const failures = new Set<string>();
  await mapConcurrently(symbols, 4, async (symbol) => {
    if (Date.now() >= deadline) return void left++;
    try {
      const info = await hoverOf(scope, symbol);
      if (info !== undefined) infos.set(symbol, info);
    } catch (error) {
      scope.call.signal.throwIfAborted();
      if (!(error instanceof ExpectedError)) throw error;
      left++;
      failures.add(error.message);
    }
  });
  if (left > 0) {
    scope.gaps.push({
      missing: `The info of ${left} of ${symbols.length} symbols is left out`,
      reason: [...failures][0] ?? 'the time for it (`symbol_info_budget`) was over',
      next: 'Narrow the question, or raise `symbol_info_budget`',
    });
  }
  return infos;
}

function hoverOf(scope: SymbolScope, symbol: SymbolNode): Promise<string | undefined> {
  const { files, call } = scope;
  const active = files.sources.requireServer(symbol.file);
  return files.ask(active, call, async (server) => {
    const { path } = await files.show(server, symbol.file, call);
    return requestHover(server, { path, position: symbol.selectionRange.start }, files.limits(call));
  });
}
