import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';

/** A node of a file's symbol tree. */
export interface SymbolNode extends PlainSymbol {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** Number among siblings of the same name in document order; `undefined` for a unique name. */
  readonly overloadIndex: number | undefined;
  readonly parent: SymbolNode | undefined;
  readonly children: readonly SymbolNode[];
}

/** Returns the top-level symbol of the tree that a symbol is in. */
export function rootOf(symbol: SymbolNode): SymbolNode {
  return symbol.parent === undefined ? symbol : rootOf(symbol.parent);
}

/** Trees do not change, and a question may go over thousands of them. */
const flattened = new WeakMap<readonly SymbolNode[], readonly SymbolNode[]>();

/** Returns the roots of a tree and everything below them, parents first, in document order. */
export function preOrder(roots: readonly SymbolNode[]): readonly SymbolNode[] {
  const known = flattened.get(roots);
  if (known) return known;
  const nodes: SymbolNode[] = [];
  collect(roots, nodes);
  flattened.set(roots, nodes);
  return nodes;
}

function collect(from: readonly SymbolNode[], into: SymbolNode[]): void {
  for (const node of from) {
    into.push(node);
    collect(node.children, into);
  }
}
