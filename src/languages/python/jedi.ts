import { ExpectedError } from '../../base/errors.ts';
import { toUri } from '../../base/paths.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { splitLines } from '../../text/lines.ts';
import type { Range } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { nestedRanges, referencesOfAll, trimmedRanges } from '../corrections.ts';

const importing = /^(?:from|import)\b/;
const asyncBefore = /\basync[ \t]+$/;

/**
 * Returns Python symbols without imports, with ranges that start with the decorators and `async` and end with the code.
 * jedi-language-server 0.47 and Zuban 0.10 list imports among a file's symbols and start the range of a function after
 * its decorators, so that text inserted before it would come between them; jedi ends the range of a loop in the next
 * line, Zuban ends all ranges at the next statement. Covered by "overview" of their conformance answers and by the test
 * of decorators in `test/languages/python/python_jedi.test.ts`.
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

/**
 * jedi 0.20 caches a parsed file until its modification time is later, but archives and backups restore earlier times.
 * Any request about the file itself makes it read the file again. Covered by "external change" of its conformance
 * answers.
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
 * jedi-language-server 0.47 computes the edits of a rename by a character diff of each file. That takes minutes for a
 * large file, silently skips files that do not parse, adds carriage returns to files with CRLF line breaks, and counts
 * form feeds as line breaks. The references are correct, so they are renamed. Covered by "renames" in
 * `test/languages/python/python_jedi.test.ts`.
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
  adjustSymbols: pythonSymbols,
  rereadChanged,
  references: referencesOfAll,
  rename,
  // The server always counts code points, whatever encoding was negotiated.
  positionEncodings: ['utf-32', 'utf-16'],
  noDiagnosticsReason: 'looks for syntax errors only',
};

/** LSP's `SymbolKind`s class, method, property and function. */
const containers: readonly number[] = [5, 6, 7, 12];

const { noDiagnosticsReason: _, ...quirksOfJedi } = jediQuirks;

/**
 * python-lsp-server 1.15 asks jedi, and reports symbols in one list, with one range: that of the definition. For the
 * variable of a loop or a `with` it is the whole statement. Its rename replaces whole files. The columns of pyflakes 3.2,
 * which it asks for errors, count bytes. Covered by "overview" and
 * "rename" of its conformance answers and by `test/languages/python/python_pylsp.test.ts`.
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
