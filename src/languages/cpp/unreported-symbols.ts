import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { lineStarts } from '../../text/lines.ts';
import { comparePositions, type Range } from '../../text/place.ts';
import { definitionsIn, flat } from '../corrections.ts';

/** Codes of the errors after which clang reports no further errors, whatever it cannot parse. */
const lastError = /^(?:fatal_|pp_file_not_found$)/;
/** Objective-C has no syntax table. */
const foreign = /^[ \t]*@(?:interface|implementation|protocol)\b/m;
const directive = /^[ \t]*#[ \t]*define\b/m;

/**
 * clangd 22.1 reports no symbols where it cannot parse, and no macros:
 *
 * ```cpp
 * // part.inl, which `shop.cpp` includes behind `struct Item`
 * double price(const Item &item);   // `Item` is unknown here
 * #define LIMIT 10
 * ```
 *
 * Adds what the syntax tree has. Definitions in code that is not compiled stay out. Covered by the tests of parts of files
 * and of macros in `test/languages/cpp/cpp.test.ts`.
 */
export const withUnreported: NonNullable<Quirks['completeSymbols']> = async (symbols, text, problems) => {
  const errors = problems.filter(({ severity }) => severity === 1);
  if (foreign.test(text) || (errors.length === 0 && !directive.test(text))) return symbols;
  const reported = flat(symbols).map(({ selectionRange }) => selectionRange.start);
  const starts = lineStarts(text);
  const isMacro = ({ range: { start } }: PlainSymbol) => text[(starts[start.line] ?? 0) + start.character] === '#';
  const isMissing = (symbol: PlainSymbol) =>
    !reported.some((start) => contains(symbol.selectionRange, start)) &&
    (isMacro(symbol) || errors.some((error) => explains(error, symbol.range)));
  return merged(symbols, (await definitionsIn('cpp', text)) ?? [], isMissing);
};

function explains({ code, range }: Diagnostic, definition: Range): boolean {
  return lastError.test(String(code)) || contains(definition, range.start);
}

function merged(
  symbols: readonly PlainSymbol[],
  defined: readonly PlainSymbol[],
  isMissing: (symbol: PlainSymbol) => boolean,
): PlainSymbol[] {
  const complete = symbols.map((symbol) => {
    const same = defined.find(({ selectionRange }) => contains(selectionRange, symbol.selectionRange.start));
    return same ? { ...symbol, children: merged(symbol.children, same.children, isMissing) } : symbol;
  });
  const all = [...complete, ...defined.filter(isMissing)];
  return all.sort((a, b) => comparePositions(a.range.start, b.range.start));
}

function contains({ start, end }: Range, position: Range['start']): boolean {
  return comparePositions(start, position) <= 0 && comparePositions(position, end) <= 0;
}
