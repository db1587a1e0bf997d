import type { LanguageAdapter } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { alternativeDefinitions } from './alternative-definitions.ts';
import { whyLeftOut } from './build-constraints.ts';
import { conditionalImplementations, otherConfigurationsGap } from './build-tags.ts';
import { withExamples } from './examples.ts';
import { moveGoFiles } from './imports.ts';

export const adapter: LanguageAdapter<SymbolScope> = {
  conditionalImplementations,
  furtherDefinitions: alternativeDefinitions,
  withFurtherSymbols: withExamples,
  moveFiles: moveGoFiles,
  diagnosticsGap: otherConfigurationsGap,
  whyUnresolved: whyLeftOut,
};
