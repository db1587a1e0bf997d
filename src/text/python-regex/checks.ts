import { badPattern } from './reader.ts';
import type { RegexNode } from './tree.ts';

/**
 * Checks what JavaScript would silently do differently: there a reference to a group that took no part in the match
 * matches the empty text, in Python it fails; and an atomic group cannot be imitated where text is matched backwards.
 *
 * @throws {ExpectedError} `search.bad-pattern` for a pattern that uses either.
 */
export function checkSameMeaning(pattern: string, tree: RegexNode): void {
  check(tree, { pattern, isBehind: false, certain: new Set() });
}

interface Scope {
  readonly pattern: string;
  readonly isBehind: boolean;
  /** Groups that have certainly taken part by now. */
  readonly certain: ReadonlySet<number>;
}

/** Returns the groups that have certainly taken part once `node` has matched. */
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
    `a reference to group ${number}, which a match may leave out, is not supported`,
    at,
    'Write the alternatives out, each with its own group',
  );
}
