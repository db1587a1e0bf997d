import { readable, type SymbolScope } from '../model/scope.ts';
import { hasDefinition, tryShow } from '../queries/requests.ts';
import { isDoubtful } from './doubtful-answers.ts';
import type { Judge } from './ledger.ts';
import { TargetInCode } from './target-in-code.ts';

const own = { verdict: 'own', reason: 'the imports and bindings of the code lead to it' } as const;
const other = { verdict: 'other', reason: 'the imports and bindings of the code lead to something else' } as const;

/**
 * Decides by imports and bindings of the code, for symbols at the top level of their file, where the server resolves
 * nothing or only to a stub. Listed places may be another symbol in code that the server takes for unreachable, and for a
 * declaration in a stub that contradicts the code.
 */
export const codeJudge: Judge<SymbolScope> = {
  name: 'code',
  open: async (scope, { active, server, target, name }) => {
    const inCode = TargetInCode.of(scope, active, target);
    if (inCode === undefined) return undefined;
    const isInStub = target.file.endsWith('.pyi');
    return async (candidate) => {
      const { file } = candidate;
      if (!candidate.isListed) {
        if (!isDoubtful(scope, candidate, await candidate.definitions())) return undefined;
        const outcome = inCode.outcomeOf(candidate);
        return outcome && (outcome === 'own' ? own : other);
      }
      if (!(isInStub || mayBind(scope, file, name)) || !inCode.isOther(candidate)) return undefined;
      const isResolved =
        !isInStub && (await tryShow(scope, server, file)) && (await hasDefinition(scope, server, candidate));
      return isResolved ? undefined : other;
    };
  },
};

/** True if a text may have a parameter or a variable of this name. Most files need no closer look. */
function mayBind(scope: SymbolScope, file: string, name: string): boolean {
  const binding = `[(,*]\\s*${name}\\s*[:=,)]|^\\s*${name}\\b[^.(\\n]*=|\\b(?:as|for)\\b[^\\n]*\\b${name}\\b`;
  const read = readable(scope, file);
  return read !== undefined && new RegExp(binding, 'mu').test(read.text);
}
