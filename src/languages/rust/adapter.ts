import type { LanguageAdapter } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { conditionalDefinitions } from './conditional-definitions.ts';
import { localImplementations } from './local-implementations.ts';
import { moveRustItem } from './move-item.ts';
import { unanalyzedOccurrences } from './unanalyzed-occurrences.ts';
import { variableJudge, withoutVariables } from './variables.ts';

export const adapter: LanguageAdapter<SymbolScope> = {
  judges: [variableJudge],
  omittedImplementations: localImplementations,
  definitionsByBuild: conditionalDefinitions,
  withoutOtherSymbols: withoutVariables,
  uncertainOccurrences: unanalyzedOccurrences,
  moveSymbol: moveRustItem,
  movesSymbolsAnyway: true,
};
