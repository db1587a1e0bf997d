import type { LanguageAdapter } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { otherNames, withoutAccessors } from './accessors.ts';
import { methodReferenceOutcome } from './method-references.ts';
import { overloadReferences, withoutOverloads } from './overloads.ts';
import { omittedOverrides, withOmittedOverrides } from './overrides.ts';

export const adapter: LanguageAdapter<SymbolScope> = {
  outcomeOf: methodReferenceOutcome,
  overloadReferences,
  mistakenReferences: otherNames,
  omittedImplementations: omittedOverrides,
  withoutOtherSymbols: async (scope, question, renaming) =>
    await withoutAccessors(scope, question, await withoutOverloads(scope, question, renaming)),
  withFurtherSymbols: withOmittedOverrides,
};
