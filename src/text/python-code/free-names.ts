import { bindingsIn } from './bindings.ts';
import { parameterOffset, usesOwnVariable } from './parameters.ts';
import type { PythonScope, PythonStatement } from './statements.ts';

/** A name in the code of a definition that the definition does not bind itself. */
export interface FreeName {
  readonly name: string;
  readonly offset: number;
  /** True if the name may nevertheless be a variable of a lambda or comprehension around it. */
  readonly isDoubtful: boolean;
}

/** Returns those of the names in some code that its functions and classes do not bind themselves. */
export function freeNames(
  text: string,
  statements: readonly PythonStatement[],
  names: readonly { readonly name: string; readonly offset: number }[],
): FreeName[] {
  return names.flatMap(({ name, offset }) => {
    const statement = statements.find(({ start, end }) => start <= offset && offset < end);
    if (statement === undefined || /^(?:from|import)\s/.test(statement.code)) return [];
    const before = statement.code.slice(0, offset - statement.start);
    const isOther = /\.\s*$/.test(before) || /^(?:async\s+)?(?:def|class)\s+$/.test(before);
    const after = text.slice(offset + name.length, statement.end);
    const isKeyword = /[(,]\s*$/.test(before) && /^\s*=(?!=)/.test(after);
    if (isOther || isKeyword || isBoundAround(statements, statement, { name, offset })) return [];
    return [{ name, offset, isDoubtful: usesOwnVariable(statement, { name, offset }) !== 'no' }];
  });
}

function isBoundAround(
  statements: readonly PythonStatement[],
  statement: PythonStatement,
  { name, offset }: { name: string; offset: number },
): boolean {
  if (parameterOffset(statement, name) === offset) return true;
  for (let scope: PythonScope | undefined = statement.scope; scope?.parent !== undefined; scope = scope.parent) {
    if (scope.kind === 'class' && scope !== statement.scope) continue;
    const { bindings, isGlobal } = bindingsIn(statements, scope, name);
    if (isGlobal) return false;
    if (scope.head !== undefined && parameterOffset(scope.head, name) !== undefined) return true;
    // In the body of a class a name is that of the module until the class binds it, as in `date: date`.
    const isBound = (bound: number) => scope?.kind === 'function' || bound < statement.start || bound === offset;
    if (bindings.some((binding) => isBound(binding.offset))) return true;
  }
  return false;
}
