import type { LanguageProfile } from '../../languages/language-profile.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { type Place, placeKey } from '../../text/place.ts';

export interface SymbolNode extends PlainSymbol {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** The name alone, if `name` says more; see {@link LanguageProfile.nameForms}. */
  readonly bareName?: string | undefined;
  /** 0-based number among siblings of the same name, in document order; `undefined` for a unique name. */
  readonly overloadIndex: number | undefined;
  readonly parent: SymbolNode | undefined;
  readonly children: readonly SymbolNode[];
}

/** Returns the place of a symbol's name. The symbol itself is the place of its whole body. */
export function namePlace({ file, selectionRange }: SymbolNode): Place {
  return { file, range: selectionRange };
}

/** Returns the {@link placeKey} of a symbol's name. */
export function nameKey(symbol: SymbolNode): string {
  return placeKey(namePlace(symbol));
}

/** Returns the top-level ancestor of a symbol, or the symbol itself. */
export function rootOf(symbol: SymbolNode): SymbolNode {
  return symbol.parent === undefined ? symbol : rootOf(symbol.parent);
}

/** Calls `visit` for the roots of a tree and all their descendants, parents first, in document order. */
export function visitTree(roots: readonly SymbolNode[], visit: (node: SymbolNode) => void): void {
  for (const node of roots) {
    visit(node);
    if (node.children.length > 0) visitTree(node.children, visit);
  }
}

/** Returns the nodes that {@link visitTree} visits. It allocates: a query that walks thousands of trees visits them. */
export function preOrder(roots: readonly SymbolNode[]): SymbolNode[] {
  const nodes: SymbolNode[] = [];
  visitTree(roots, (node) => nodes.push(node));
  return nodes;
}

/** Names that tsserver gives to functions and classes without one. */
const invented = /^<(?:function|class)>$| callback$/;

/** Returns the innermost symbol that code can refer to: `symbol` itself, or one around it. */
export function namedSymbol(symbol: SymbolNode): SymbolNode | undefined {
  if (!invented.test(symbol.name)) return symbol;
  return symbol.parent && namedSymbol(symbol.parent);
}

/** A symbol next to another one in a hierarchy. */
export interface Related {
  readonly symbol: SymbolNode;
  /** 0-based lines of the calls of `callers` and of the references of `users`; otherwise the line of the symbol's name. */
  readonly lines: readonly number[];
}

export interface HierarchyStep {
  readonly related: readonly Related[];
  /** Names of neighbors outside the project's sources. */
  readonly outside: readonly string[];
  /** How the neighbors were found, if the language server did not list them. */
  readonly derivation?: string;
}
