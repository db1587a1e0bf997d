import type { SymbolNode } from './symbol.ts';

/** Names that tsserver gives to functions and classes without one. */
const invented = /^<(?:function|class)>$| callback$/;

/** Returns the innermost symbol that code can refer to: `symbol` itself, or one around it. */
export function namedSymbol(symbol: SymbolNode): SymbolNode | undefined {
  if (!invented.test(symbol.name)) return symbol;
  return symbol.parent && namedSymbol(symbol.parent);
}
