import type { LanguageAdapter } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { fixtureUses, withRequests } from './fixtures.ts';
import { moveModules } from './imports.ts';
import { basesOf, inheritedImplementations } from './inheritance.ts';
import { movePythonSymbol } from './move-symbol.ts';
import { inheritedOverrides } from './overrides.ts';

export const adapter: LanguageAdapter<SymbolScope> = {
  usesByName: fixtureUses,
  withFurtherSymbols: withRequests,
  implementations: inheritedImplementations,
  overrides: inheritedOverrides,
  basesOf,
  moveFiles: moveModules,
  moveSymbol: movePythonSymbol,
};
