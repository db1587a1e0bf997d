import { answersOf } from '../model/answers-of.ts';
import type { HierarchyStep } from '../model/hierarchy-step.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, type SymbolNode } from '../model/symbol.ts';
import { prepareServer } from '../sync/cross-file.ts';
import { suppliersOf } from './references-elsewhere.ts';

/**
 * Returns what an earlier call with the same `kind` found around a symbol if no file has changed since, otherwise the
 * result of `find`, for reading.
 *
 * @throws {ExpectedError} `server.*`, `install.*`; what `find` throws.
 */
export async function rememberedStep(
  scope: SymbolScope,
  { symbol, kind }: { symbol: SymbolNode; kind: string },
  find: (scope: SymbolScope) => Promise<HierarchyStep>,
): Promise<HierarchyStep> {
  const { files, call } = scope;
  const active = files.sources.requireServer(symbol.file);
  // Changes of the files of other servers are not reported to this one.
  if (active.spec.mayAnswerStale || suppliersOf(scope, active, symbol.file).length > 0) return await find(scope);
  const known = await files.ask(active, call, async (server) => {
    // Reports the changes that make answers invalid. What it cannot wait for, the search reports.
    await prepareServer({ ...scope, gaps: [] }, { active, server, missing: kind });
    return answersOf(scope, active, server)?.steps;
  });
  if (known === undefined) return await find(scope);
  return await known.answer(`${kind} ${nameKey(symbol)}`, scope.gaps, (gaps) =>
    find({ ...scope, gaps, areChangesReported: true }),
  );
}
