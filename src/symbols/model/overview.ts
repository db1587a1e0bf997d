import type { ServerSpec } from '../../servers/catalog/spec.ts';
import type { SymbolNode } from './symbol.ts';

/**
 * Returns the symbols that an overview of a file shows: the top-level symbols, where meaningless ones are replaced by
 * their children. If nothing remains, returns the top-level symbols unchanged.
 */
export function overviewOf(roots: readonly SymbolNode[], { quirks }: ServerSpec): readonly SymbolNode[] {
  if (quirks?.overview === undefined) return roots;
  const { without, kind, isFlat } = quirks.overview;
  const isMeaningful = (node: SymbolNode) => (kind !== undefined && node.kind !== kind) || !without.test(node.name);
  const shown = (nodes: readonly SymbolNode[]): SymbolNode[] =>
    nodes.flatMap((node) => {
      if (!isMeaningful(node)) return node.children.length > 0 || isFlat ? shown(node.children) : [node];
      return isFlat ? [node, ...shown(node.children.filter((child) => child.kind === kind))] : [node];
    });
  const found = shown(roots);
  return found.length > 0 ? found : roots;
}
