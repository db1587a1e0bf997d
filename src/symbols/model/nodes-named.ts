import { withoutLabels } from './name-path.ts';
import { type SymbolNode, visitTree } from './symbol.ts';

type NodesByName = ReadonlyMap<string, SymbolNode | readonly SymbolNode[]>;

/** By tree; `undefined` after its first search. */
const indexes = new WeakMap<readonly SymbolNode[], NodesByName | undefined>();

/**
 * Returns the nodes of a tree with this name, with or without the labels of its parameters, parents first, in document
 * order. The second search of a tree indexes it:
 * visiting the nodes of all files with a common name takes most of the time of a repeated question.
 */
export function nodesNamed(roots: readonly SymbolNode[], name: string): readonly SymbolNode[] {
  if (!indexes.has(roots)) {
    indexes.set(roots, undefined);
    const found: SymbolNode[] = [];
    visitTree(roots, (node) => {
      if (node.name === name || withoutLabels(node.name) === name) found.push(node);
    });
    return found;
  }
  const index = indexes.get(roots) ?? indexOf(roots);
  indexes.set(roots, index);
  const found = index.get(name) ?? [];
  return 'name' in found ? [found] : found;
}

function indexOf(roots: readonly SymbolNode[]): NodesByName {
  // Most names are unique in a file: an array each would double the memory.
  const index = new Map<string, SymbolNode | SymbolNode[]>();
  const add = (name: string, node: SymbolNode) => {
    const same = index.get(name);
    if (same === undefined) index.set(name, node);
    else if ('name' in same) index.set(name, [same, node]);
    else same.push(node);
  };
  visitTree(roots, (node) => {
    const bare = withoutLabels(node.name);
    add(node.name, node);
    if (bare !== node.name) add(bare, node);
  });
  return index;
}
