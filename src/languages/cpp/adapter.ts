import type { LanguageAdapter } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { dependentNameJudge } from './dependent-names.ts';
import { dependentOccurrences } from './dependent-renames.ts';
import { moveIncludedFiles } from './includes.ts';
import { bareDeclarationJudge, overridingDeclarations } from './overriding-declarations.ts';
import { otherSpecializations, specializationsBeside, whyUsed } from './specializations.ts';

export const adapter: LanguageAdapter<SymbolScope> = {
  judges: [bareDeclarationJudge, dependentNameJudge],
  specializations: otherSpecializations,
  omittedImplementations: overridingDeclarations,
  furtherDefinitions: specializationsBeside,
  uncertainOccurrences: dependentOccurrences,
  whyUsed,
  moveFiles: moveIncludedFiles,
};
