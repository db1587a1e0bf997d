import { badPattern } from './reader.ts';
import type { RegexNode } from './tree.ts';

/**
 * Rejects patterns that JavaScript would silently treat differently. A reference to a group that did not take part in
 * the match matches the empty string in JavaScript and fails in Python. An atomic group cannot be emulated inside a
 * lookbehind, which JavaScript matches backwards.
 *
 * @throws {ExpectedError} `search.bad-pattern` for such a pattern.
 */
export function checkSameMeaning(pattern: string, tree: RegexNode): void {
  check(tree, { pattern, isBehind: false, certain: new Set() });
}

interface Scope {
  readonly pattern: string;
  readonly isBehind: boolean;
  /** Groups that have certainly taken part in the match before the current node. */
  readonly certain: ReadonlySet<number>;
}

/** Returns the groups that have certainly taken part in the match once `node` has matched. */
function check(node: RegexNode, scope: Scope): ReadonlySet<number> {
  switch (node.type) {
    case 'group':
      return new Set([...check(node.body, scope), node.number]);
    case 'scoped':
      return check(node.body, scope);
    case 'atomic':
      return checkAtomic(node.body, scope);
    case 'look': {
      const inner = check(node.body, { ...scope, isBehind: node.isBehind || scope.isBehind });
      return node.isNegated ? scope.certain : inner;
    }
    case 'repeat': {
      const inner = node.manner === 'possessive' ? checkAtomic(node.body, scope) : check(node.body, scope);
      return node.min === 0 ? scope.certain : inner;
    }
    case 'sequence':
      return node.items.reduce<ReadonlySet<number>>(
        (certain, item) => check(item, { ...scope, certain }),
        scope.certain,
      );
    case 'choice': {
      const [first, ...others] = node.options.map((option) => check(option, scope));
      return new Set([...(first ?? [])].filter((number) => others.every((other) => other.has(number))));
    }
    case 'reference':
      if (!scope.certain.has(node.number)) throw uncertain(scope.pattern, node.number, node.at);
      return scope.certain;
    default:
      return scope.certain;
  }
}

function checkAtomic(body: RegexNode, scope: Scope): ReadonlySet<number> {
  if (scope.isBehind) {
    throw badPattern(scope.pattern, 'atomic groups and possessive repeats are not supported inside a lookbehind');
  }
  return check(body, scope);
}

function uncertain(pattern: string, number: number, at: number) {
  return badPattern(
    pattern,
    `a reference to group ${number}, which may not take part in the match, is not supported`,
    at,
    'write out the alternatives, each with its own group',
  );
}
