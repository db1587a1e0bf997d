import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { splitLines } from '../../text/lines.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { nestedRanges } from '../nested-ranges.ts';
import { jediQuirks } from './jedi-corrections.ts';
import { pythonSymbols } from './symbols.ts';

/** LSP's `SymbolKind`s class, method, property and function. */
const containers: readonly number[] = [5, 6, 7, 12];

const { noDiagnosticsReason: _, ...quirksOfJedi } = jediQuirks;

/**
 * python-lsp-server 1.15 asks jedi, and reports symbols in one list, with one range: that of the definition. For the
 * variable of a loop or a `with` it is the whole statement. Its rename replaces whole files. The columns of pyflakes 3.2,
 * which it asks for errors, count bytes. Covered by "overview" and
 * "rename" of its conformance answers and by `test/servers/python_pylsp.test.ts`.
 */
export const pylspQuirks: Quirks = {
  ...quirksOfJedi,
  adjustSymbols: (symbols, text) => {
    const lines = textLines(text);
    const named = symbols.map((symbol) => withName(symbol, lines));
    return pythonSymbols(
      nestedRanges(named, ({ kind }) => containers.includes(kind)),
      text,
    );
  },
  adjustDiagnostics: (diagnostics, text) => {
    const lines = splitLines(text);
    return diagnostics.map((diagnostic) => withWholeLine(diagnostic, lines[diagnostic.range.start.line] ?? ''));
  },
  // Counts code points, without announcing it.
  positionEncodings: ['utf-32'],
};

/** Returns the symbol with the range of its name: the first one in its range; in a `with`, the first one after `as`. */
function withName(symbol: PlainSymbol, { text, starts }: TextLines): PlainSymbol {
  const from = offsetAt(text, starts, symbol.range.start) ?? text.length;
  const code = text.slice(from, offsetAt(text, starts, symbol.range.end) ?? text.length);
  const before = /^(?:async\s+)?with\b/.test(code) ? '(?<=\\bas\\b[^:\\n]*)' : '';
  const word = new RegExp(`${before}(?<![\\p{L}\\p{N}_])${RegExp.escape(symbol.name)}(?![\\p{L}\\p{N}_])`, 'u');
  const at = word.exec(code)?.index;
  if (at === undefined) return symbol;
  const start = positionAt(text, starts, from + at);
  const end = positionAt(text, starts, from + at + symbol.name.length);
  return { ...symbol, selectionRange: { start, end } };
}

/** Returns a diagnostic on a line with characters of several bytes extended to the line, because its column is unknown. */
function withWholeLine(diagnostic: Diagnostic, line: string): Diagnostic {
  if (/^\p{ASCII}*$/u.test(line)) return diagnostic;
  const at = diagnostic.range.start.line;
  const start = { line: at, character: line.length - line.trimStart().length };
  return { ...diagnostic, range: { start, end: { line: at, character: line.length } } };
}
