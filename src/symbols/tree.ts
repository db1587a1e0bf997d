import type { PlainSymbol } from '../lsp/document-symbols.ts';
import { comparePositions } from '../lsp/ranges.ts';
import type { Quirks } from '../servers/spec.ts';
import type { SymbolNode } from './symbol.ts';

/**
 * Returns a server's symbols with names and ranges put right by `quirks`, and `/` in names replaced by `#` so that a
 * name path can be taken apart again. `text` is the document's.
 */
export function normaliseSymbols(symbols: readonly PlainSymbol[], text: string, quirks: Quirks = {}): PlainSymbol[] {
  const adjusted = quirks.adjustSymbols?.(symbols, text) ?? symbols;
  return adjusted.map((symbol) => withOurName(symbol, quirks));
}

function withOurName(symbol: PlainSymbol, quirks: Quirks): PlainSymbol {
  const name = quirks.symbolName?.(symbol.name) ?? symbol.name;
  const children = symbol.children.map((child) => withOurName(child, quirks));
  return { ...symbol, name: name.replaceAll('/', '#'), children };
}

/**
 * Returns the symbol tree of `file` with parents and overload numbers filled in, siblings in document order: some servers
 * sort by name, or by kind among equal names.
 */
export function buildTree(
  file: string,
  symbols: readonly PlainSymbol[],
  parent?: SymbolNode | undefined,
): readonly SymbolNode[] {
  const totals = new Map<string, number>();
  for (const { name } of symbols) totals.set(name, (totals.get(name) ?? 0) + 1);
  const seen = new Map<string, number>();
  const ordered = [...symbols].sort((a, b) => comparePositions(a.range.start, b.range.start));
  return ordered.map((symbol) => {
    const count = seen.get(symbol.name) ?? 0;
    seen.set(symbol.name, count + 1);
    const isOverloaded = (totals.get(symbol.name) ?? 0) > 1;
    const children: SymbolNode[] = [];
    const node: SymbolNode = { ...symbol, file, parent, children, overloadIndex: isOverloaded ? count : undefined };
    children.push(...buildTree(file, symbol.children, node));
    return node;
  });
}
