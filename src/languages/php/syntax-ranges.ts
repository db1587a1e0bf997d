import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import type { SyntaxLanguage } from '../profiles.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';

/**
 * Returns symbols with the ranges of the definitions in the syntax tree whose names are at the same positions, for
 * servers that report the range of the name alone. Covered by "body" of the conformance answers of PHPantom 0.9.
 */
export function syntaxRanges(language: SyntaxLanguage): NonNullable<Quirks['completeSymbols']> {
  return async (symbols, text) => {
    try {
      const defined = (await syntaxTrees.outline(language, text)).symbols;
      const ranges = new Map(flat(defined).map((one) => [keyOf(one), one.range]));
      const ranged = (list: readonly PlainSymbol[]): PlainSymbol[] =>
        list.map((one) => ({ ...one, range: ranges.get(keyOf(one)) ?? one.range, children: ranged(one.children) }));
      return ranged(symbols);
    } catch (error) {
      log('servers').warn(`cannot read the ranges of symbols: ${messageOf(error)}`);
      return symbols;
    }
  };
}

function flat(symbols: readonly PlainSymbol[]): PlainSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...flat(symbol.children)]);
}

function keyOf({ selectionRange: { start } }: PlainSymbol): string {
  return `${start.line}:${start.character}`;
}
