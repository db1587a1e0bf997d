import { keyAt, placeAt } from '../../text/place.ts';
import { isMemberKind } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { definitionsOf } from './judge-by-definition.ts';
import type { Judge } from './ledger.ts';

const other = { verdict: 'other', reason: 'the code around it declares a variable or parameter of this name' } as const;

/**
 * Decides by the variable or parameter that a name means in its file. TypeScript leads a call of a variable to the
 * declaration of the signature as well, and if that is a function assigned to a member, to nothing else:
 *
 * ```ts
 * exports.load = (id) => id;
 * const twice = (load: Load) => load(1) + load(2);   // two calls of the parameter
 * ```
 */
export const bindingJudge: Judge<SymbolScope> = {
  name: 'binding',
  open: async (scope, inquiry) => {
    const { declarations, references } = inquiry.own;
    const isOwn = (key: string) => declarations.has(key) || references.has(key);
    const { name, target, followsAliases = false } = inquiry;
    return async ({ file, binding, isListed, definitions }) => {
      if (isListed || binding === undefined || declarations.has(keyAt(file, binding))) return undefined;
      await definitions();
      // A variable of the symbol's name that has its value is an alias.
      const mayBeAlias = followsAliases && !isMemberKind(target.kind);
      const bound = mayBeAlias ? await definitionsOf(scope, inquiry, placeAt(file, binding, name.length)) : [];
      return bound.some(isOwn) ? undefined : other;
    };
  },
};
