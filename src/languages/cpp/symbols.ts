import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { lineStarts } from '../../text/lines.ts';
import { comparePositions, type Range } from '../../text/place.ts';

/** Codes of the errors after which clang reports no further errors, whatever it cannot parse. */
const lastError = /^(?:fatal_|pp_file_not_found$)/;
/** Objective-C has no syntax table. */
const foreign = /^[ \t]*@(?:interface|implementation|protocol)\b/m;
const directive = /^[ \t]*#[ \t]*define\b/m;

/**
 * Adds definitions that clangd 22.1 does not report as symbols. It cannot parse some in a part of a file, which another
 * one includes in its middle: types that are declared before that place are unknown. Definitions in code that is not
 * compiled stay out. And it reports no macros, though it finds references to them. Covered by the tests of parts of files
 * and of macros in `test/languages/cpp/cpp.test.ts`.
 */
export const withUnreported: NonNullable<Quirks['completeSymbols']> = async (symbols, text, problems) => {
  const errors = problems.filter(({ severity }) => severity === 1);
  if (foreign.test(text) || (errors.length === 0 && !directive.test(text))) return symbols;
  try {
    const { symbols: defined } = await syntaxTrees.outline('cpp', text);
    const reported = startsOf(symbols);
    const starts = lineStarts(text);
    const isMacro = ({ range: { start } }: PlainSymbol) => text[(starts[start.line] ?? 0) + start.character] === '#';
    const isMissing = (symbol: PlainSymbol) =>
      !reported.some((start) => contains(symbol.selectionRange, start)) &&
      (isMacro(symbol) || errors.some((error) => explains(error, symbol.range)));
    return merged(symbols, defined, isMissing);
  } catch (error) {
    log('servers').warn(`cannot read what clangd cannot parse: ${messageOf(error)}`);
    return symbols;
  }
};

function startsOf(symbols: readonly PlainSymbol[]): Range['start'][] {
  return symbols.flatMap(({ selectionRange, children }) => [selectionRange.start, ...startsOf(children)]);
}

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
