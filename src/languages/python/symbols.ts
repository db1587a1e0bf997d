import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { splitLines } from '../../text/lines.ts';
import type { Range } from '../../text/place.ts';
import { trimmedRanges } from '../trimmed-ranges.ts';

const importing = /^(?:from|import)\b/;
const asyncBefore = /\basync[ \t]+$/;

/**
 * Returns Python symbols without imports, with ranges that start with the decorators and `async` and end with the code.
 * jedi-language-server 0.47 and Zuban 0.10 list imports among a file's symbols and start the range of a function after
 * its decorators, so that text inserted before it would come between them; jedi ends the range of a loop in the next
 * line, Zuban ends all ranges at the next statement. Covered by "overview" of their conformance answers and by the test
 * of decorators in `test/servers/python_jedi.test.ts`.
 */
export const pythonSymbols: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const lines = splitLines(text);
  const adjusted = (list: readonly PlainSymbol[]): PlainSymbol[] =>
    list
      .filter(({ range: { start } }) => !importing.test((lines[start.line] ?? '').slice(start.character)))
      .map((symbol) => ({ ...symbol, range: fromStart(symbol.range, lines), children: adjusted(symbol.children) }));
  return trimmedRanges(adjusted(symbols), text);
};

/** Returns a definition's range extended by the `async` and the decorators before it. */
function fromStart({ start, end }: Range, lines: readonly string[]): Range {
  const line = lines[start.line] ?? '';
  const isAsync = asyncBefore.exec(line.slice(0, start.character));
  const character = isAsync ? isAsync.index : start.character;
  if (!/^(?:async|def|class)\b/.test(line.slice(character)) || line.slice(0, character).trim() !== '') {
    return { start: { line: start.line, character }, end };
  }
  const indent = line.slice(0, character);
  let first = start.line;
  for (let at = start.line - 1; at >= 0; at--) {
    const above = lines[at] ?? '';
    if (above.startsWith(`${indent}@`)) {
      if (!isDecorator(lines.slice(at, first))) break;
      first = at;
    } else if (!/^\s*(?:#|[)\]}]|$)/.test(above) && !new RegExp(`^${indent}\\s`).test(above)) break;
  }
  return { start: { line: first, character }, end };
}

/**
 * True if lines, the first of which starts with `@`, are one decorator: continued only inside brackets, then only
 * comments.
 */
function isDecorator(lines: readonly string[]): boolean {
  let depth = 0;
  const isWhole = lines.every((line, index) => {
    const code = line.replace(/(["'])(?:\\.|(?!\1).)*\1|#.*/g, '');
    const isPart = index === 0 || depth > 0 || code.trim() === '';
    depth += code.replace(/[^([{]/g, '').length - code.replace(/[^)\]}]/g, '').length;
    return isPart;
  });
  return isWhole && depth === 0;
}
