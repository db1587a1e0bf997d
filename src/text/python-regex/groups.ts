import type { RegexNode } from './tree.ts';

/**
 * Returns the numbers of groups inside a repeat that an iteration may skip. For such a group Python keeps the text of
 * an earlier iteration, while JavaScript resets the group in each iteration.
 */
export function forgottenGroups(tree: RegexNode): ReadonlySet<number> {
  const forgotten = new Set<number>();
  visit(tree, forgotten);
  return forgotten;
}

/** The groups in a part of a pattern, and those that take part in each of its matches. */
interface Groups {
  readonly all: ReadonlySet<number>;
  readonly certain: ReadonlySet<number>;
}

const none: Groups = { all: new Set(), certain: new Set() };

function visit(node: RegexNode, forgotten: Set<number>): Groups {
  switch (node.type) {
    case 'group': {
      const { all, certain } = visit(node.body, forgotten);
      return { all: new Set([...all, node.number]), certain: new Set([...certain, node.number]) };
    }
    case 'scoped':
    case 'atomic':
      return visit(node.body, forgotten);
    case 'look': {
      const inner = visit(node.body, forgotten);
      return node.isNegated ? { all: inner.all, certain: new Set() } : inner;
    }
    case 'repeat': {
      const { all, certain } = visit(node.body, forgotten);
      if (node.max > 1) for (const number of all) if (!certain.has(number)) forgotten.add(number);
      return { all, certain: node.min === 0 ? new Set() : certain };
    }
    case 'sequence':
      return together(node.items.map((item) => visit(item, forgotten)));
    case 'choice': {
      const options = node.options.map((option) => visit(option, forgotten));
      const { all, certain } = together(options);
      return {
        all,
        certain: new Set([...certain].filter((number) => options.every((each) => each.certain.has(number)))),
      };
    }
    default:
      return none;
  }
}

function together(parts: readonly Groups[]): Groups {
  return {
    all: new Set(parts.flatMap(({ all }) => [...all])),
    certain: new Set(parts.flatMap(({ certain }) => [...certain])),
  };
}
