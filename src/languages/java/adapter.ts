import type { LanguageAdapter } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { otherNameJudge, withoutAccessors } from './accessors.ts';
import { methodReferenceJudge, overloadJudge, whyUsed, withoutOverloads } from './judges.ts';
import { omittedOverrides, withOmittedOverrides } from './overrides.ts';

export const adapter: LanguageAdapter<SymbolScope> = {
  judges: [otherNameJudge, overloadJudge, methodReferenceJudge],
  omittedImplementations: omittedOverrides,
  withoutOtherSymbols: async (scope, question, renaming) =>
    await withoutAccessors(scope, question, await withoutOverloads(scope, question, renaming)),
  withFurtherSymbols: withOmittedOverrides,
  whyUsed,
};
