import type { LanguageAdapter } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { inheritedFamily } from './family.ts';
import { moveModules } from './imports.ts';
import { inheritedImplementations } from './inheritance.ts';
import { movePythonSymbol } from './move-symbol.ts';

export const adapter: LanguageAdapter<SymbolScope> = {
  implementations: inheritedImplementations,
  family: inheritedFamily,
  moveFiles: moveModules,
  moveSymbol: movePythonSymbol,
};
