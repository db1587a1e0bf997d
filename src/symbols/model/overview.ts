import type { ServerSpec } from '../../servers/catalog/spec.ts';
import type { SymbolNode } from './symbol.ts';

/**
 * Returns the symbols that stand for a file in an overview: the top-level ones, those without meaning replaced by what is in
 * them. Where that leaves nothing, the top-level ones as they are.
 */
export function overviewOf(roots: readonly SymbolNode[], { overview }: ServerSpec): readonly SymbolNode[] {
  if (overview === undefined) return roots;
  const { without, kind, isFlat } = overview;
  const says = (node: SymbolNode) => (kind !== undefined && node.kind !== kind) || !without.test(node.name);
  const shown = (nodes: readonly SymbolNode[]): SymbolNode[] =>
    nodes.flatMap((node) => {
      if (!says(node)) return node.children.length > 0 || isFlat ? shown(node.children) : [node];
      return isFlat ? [node, ...shown(node.children.filter((child) => child.kind === kind))] : [node];
    });
  const found = shown(roots);
  return found.length > 0 ? found : roots;
}
