import { ExpectedError } from '../../base/errors.ts';
import { toUri } from '../../base/paths.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { splitLines } from '../../text/lines.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { nestedRanges, referencesOfAll, trimmedRanges, withSyntaxRanges } from '../corrections.ts';

const importing = /^(?:from|import)\b/;
/** LSP's `SymbolKind`s class, method, property and function. */
const containers: readonly number[] = [5, 6, 7, 12];

/**
 * jedi-language-server 0.47 and Zuban 0.10 report imports as symbols, and end some ranges in a later line:
 *
 * ```python
 * from shop import price   # a symbol
 * for each in price:       # the range of `each` ends in the line below the loop
 *     pass
 * ```
 *
 * Covered by "overview" of their conformance answers.
 */
const withoutImports: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const lines = splitLines(text);
  const kept = (list: readonly PlainSymbol[]): PlainSymbol[] =>
    list
      .filter(({ range: { start } }) => !importing.test((lines[start.line] ?? '').slice(start.character)))
      .map((symbol) => ({ ...symbol, children: kept(symbol.children) }));
  return trimmedRanges(kept(symbols), text);
};

/**
 * jedi-language-server 0.47 and Zuban 0.10 start the range of a function after its decorators and `async`:
 *
 * ```python
 * @cache
 * async def price(): ...   # the range begins at `def`
 * ```
 *
 * Here definitions have the ranges of the syntax tree. Covered by the test of decorators in
 * `test/languages/python/python_jedi.test.ts`.
 */
const withDecorators: NonNullable<Quirks['completeSymbols']> = (symbols, text) =>
  withSyntaxRanges('python', symbols, { text, kinds: containers });

/** What jedi-language-server and Zuban report alike. */
export const symbolsOfJedi: Quirks = { completeSymbols: withDecorators, adjustSymbols: withoutImports };

/**
 * jedi 0.20 reads a file again only if its modification time is later, but archives and backups restore earlier times. Any
 * request about the file itself makes it read the file. Covered by "external change" of its conformance answers.
 */
const rereadChanged: NonNullable<Quirks['rereadChanged']> = async (server, paths, limits) => {
  for (const path of paths) {
    const params = { textDocument: { uri: toUri(path) }, position: { line: 0, character: 0 } };
    await server.request('textDocument/signatureHelp', params, limits);
  }
};

const identifier = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import
  in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/**
 * jedi-language-server 0.47 computes the edits of a rename by a character diff of each file:
 *
 * ```python
 * price = 1       # in a file with CRLF line breaks, the edits add carriage returns
 * label = str(    # a file that does not parse is left out
 * ```
 *
 * That takes minutes for a large file, and counts form feeds as line breaks. The references are correct, so they are
 * renamed. Covered by "renames" in `test/languages/python/python_jedi.test.ts`.
 */
const rename: NonNullable<Quirks['rename']> = async (server, { newName, ...place }, limits) => {
  if (!identifier.test(newName) || keywords.has(newName)) {
    throw new ExpectedError('edit.refused', `\`${newName}\` is not a valid Python identifier`, {
      hints: ['pass a `new_name` of letters, digits and underscores that is not a keyword'],
    });
  }
  const references = await requestReferences(server, place, limits, { includeDeclaration: true });
  const byFile = Map.groupBy(references, ({ file }) => file);
  return [...byFile].map(([file, own]) => ({
    do: 'edit',
    file,
    edits: own.map(({ range }) => ({ range, newText: newName })),
  }));
};

export const jediQuirks: Quirks = {
  ...symbolsOfJedi,
  rereadChanged,
  references: referencesOfAll,
  rename,
  // The server always counts code points, whatever encoding was negotiated.
  positionEncodings: ['utf-32', 'utf-16'],
  noDiagnosticsReason: 'looks for syntax errors only',
};

const { noDiagnosticsReason: _, ...quirksOfJedi } = jediQuirks;

/**
 * python-lsp-server 1.15, which asks jedi, reports symbols in one list, with one range, that of the definition:
 *
 * ```python
 * class Shop:              # `Shop`, `total` and `each` are reported beside each other
 *     def total(self):
 *         for each in []:  # the range and the selection of `each` are the whole loop
 *             pass
 * ```
 *
 * Its rename replaces whole files. The columns of pyflakes 3.2, which it asks for errors, count bytes. Covered by "overview"
 * and "rename" of its conformance answers and by `test/languages/python/python_pylsp.test.ts`.
 */
export const pylspQuirks: Quirks = {
  ...quirksOfJedi,
  completeSymbols: (symbols, text, problems) => {
    const lines = textLines(text);
    const named = symbols.map((symbol) => withName(symbol, lines));
    return withDecorators(
      nestedRanges(named, ({ kind }) => containers.includes(kind)),
      text,
      problems,
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
