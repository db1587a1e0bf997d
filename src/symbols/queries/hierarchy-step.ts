import type { HierarchyKind } from '../../lsp/features/hierarchy.ts';
import type { HierarchyStep } from '../model/hierarchy-step.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { findCallees } from './callees.ts';
import { findCallers, findUsers } from './callers.ts';
import { rememberedStep } from './remembered-step.ts';
import { findSubtypes } from './subtypes.ts';
import { findSupertypes } from './supertypes.ts';

const finders: Readonly<
  Record<HierarchyKind | 'users', (scope: SymbolScope, symbol: SymbolNode) => Promise<HierarchyStep>>
> = {
  callers: findCallers,
  users: findUsers,
  callees: findCallees,
  supertypes: findSupertypes,
  subtypes: findSubtypes,
};

/**
 * Returns the direct neighbors of a symbol, for reading: those of an earlier question if no file has changed since.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export function hierarchyStep(
  scope: SymbolScope,
  symbol: SymbolNode,
  kind: HierarchyKind | 'users',
): Promise<HierarchyStep> {
  return rememberedStep(scope, { symbol, kind }, (own) => finders[kind](own, symbol));
}
