import { isExpected } from '../../base/errors.ts';
import { isCalledAt } from '../../text/identifiers.ts';
import { isCallable } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, type SymbolNode } from '../model/symbol.ts';
import { hierarchyStep } from './hierarchy.ts';
import { isCreatedWith, lineAt, type Mention } from './mentions-in.ts';
import { findSupertypes, isTypeSymbol } from './neighbors.ts';

interface Origins {
  /** `symbol` is the one whose code leads there. */
  readonly origins: readonly Mention[];
  /** True if nothing else leads there. */
  readonly isComplete: boolean;
}

/**
 * Returns the functions whose code calls or mentions a symbol, and the members that it overrides: the opposite of
 * `mentionsIn`. Names in other code, such as the value of a variable, make it incomplete.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function originsOf(scope: SymbolScope, target: SymbolNode): Promise<Origins> {
  const own = { ...scope, gaps: [] };
  const { related } = await hierarchyStep(own, target, 'users');
  const origins: Mention[] = [];
  let isComplete = own.gaps.length === 0;
  for (const { symbol, lines } of related) {
    const user = outermostCallable(symbol);
    const calls = lines.map((line) => mentionAt(scope, target, symbol.file, line));
    const mention = calls.find(({ how }) => how === 'calls') ?? (isTypeSymbol(target) ? undefined : calls[0]);
    if (user === undefined) isComplete = false;
    else if (mention !== undefined && nameKey(user) !== nameKey(target)) origins.push({ ...mention, symbol: user });
  }
  const overridden = await overriddenBy(own, target);
  const { parent } = target;
  const creator = parent !== undefined && isTypeSymbol(parent) && isCreatedWith(scope, parent, target) ? [parent] : [];
  const at = lineAt(scope, target.file, target.selectionRange.start);
  return {
    origins: [
      ...origins,
      ...(overridden ?? []).map((symbol): Mention => ({ symbol, ...at, how: 'is overridden by' })),
      ...creator.map((symbol): Mention => ({ symbol, ...at, how: 'creates with' })),
    ],
    // Instances of subtypes are created with it, too.
    isComplete: isComplete && overridden !== undefined && creator.length === 0 && !isTypeSymbol(target),
  };
}

/** Returns the outermost function around a symbol: what is defined in a function is a part of its code. */
function outermostCallable(symbol: SymbolNode): SymbolNode | undefined {
  let outermost: SymbolNode | undefined;
  for (let one: SymbolNode | undefined = symbol; one !== undefined; one = one.parent) {
    if (isCallable(one)) outermost = one;
  }
  return outermost;
}

function mentionAt(scope: SymbolScope, target: SymbolNode, file: string, line: number): Omit<Mention, 'symbol'> {
  const at = lineAt(scope, file, { line, character: 0 });
  const name = target.bareName ?? target.name;
  let isCall = false;
  for (let from = at.text.indexOf(name); from !== -1 && !isCall; from = at.text.indexOf(name, from + 1)) {
    isCall = isCalledAt(at.text, from + name.length);
  }
  return { ...at, how: isCall ? 'calls' : 'mentions' };
}

/** Returns the members of the direct supertypes that a member overrides; `undefined` if they are unknown. */
async function overriddenBy(
  scope: SymbolScope,
  { parent, name, receiver }: SymbolNode,
): Promise<SymbolNode[] | undefined> {
  // The references of such a method include calls through interfaces.
  if (receiver !== undefined || parent === undefined || !isTypeSymbol(parent)) return [];
  try {
    const { related } = await findSupertypes(scope, parent);
    return related.flatMap(({ symbol }) => symbol.children.filter((child) => child.name === name && isCallable(child)));
  } catch (error) {
    if (!isExpected(error)) throw error;
    return undefined;
  }
}
