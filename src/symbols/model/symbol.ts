import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';

/** A node of a file's symbol tree. */
export interface SymbolNode extends PlainSymbol {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** 0-based number among siblings of the same name, in document order; `undefined` for a unique name. */
  readonly overloadIndex: number | undefined;
  readonly parent: SymbolNode | undefined;
  readonly children: readonly SymbolNode[];
}

/** Returns the top-level ancestor of a symbol, or the symbol itself. */
export function rootOf(symbol: SymbolNode): SymbolNode {
  return symbol.parent === undefined ? symbol : rootOf(symbol.parent);
}

/** Cache of {@link preOrder}: trees never change, and one query may walk thousands of them. */
const flattened = new WeakMap<readonly SymbolNode[], readonly SymbolNode[]>();

/** Returns the roots of a tree and all their descendants, parents first, in document order. */
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
