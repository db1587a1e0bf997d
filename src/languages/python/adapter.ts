import type { LanguageAdapter } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { moveModules } from './imports.ts';
import { basesOf, inheritedImplementations } from './inheritance.ts';
import { movePythonSymbol } from './move-symbol.ts';
import { inheritedOverrides } from './overrides.ts';

export const adapter: LanguageAdapter<SymbolScope> = {
  implementations: inheritedImplementations,
  overrides: inheritedOverrides,
  basesOf,
  moveFiles: moveModules,
  moveSymbol: movePythonSymbol,
};
