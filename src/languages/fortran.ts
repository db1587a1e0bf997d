import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import type { Quirks } from '../servers/quirks.ts';
import { defineServer, filesOf } from '../servers/spec.ts';
import { splitLines } from '../text/lines.ts';
import { nestedRanges, referencesOfAll } from './corrections.ts';

/**
 * fortls 3.2 reports all symbols in one list, with ranges that start and end at column 0:
 *
 * ```fortran
 *   integer function total(n)   ! the range begins in this line and ends in the last one, before `end`
 *     integer :: n              ! the range is empty; here it is the name
 *   end function
 * ```
 *
 * Covered by "overview" of its conformance answers and the test of insertions in `test/languages/fortran/fortran.test.ts`.
 */
const fortlsQuirks: Quirks = {
  adjustSymbols: (symbols, text) => {
    const lines = splitLines(text);
    return nestedRanges(symbols.map((symbol) => withWholeLines(symbol, lines)));
  },
  // Lists the declaration, whatever was requested.
  references: referencesOfAll,
  // Leaves out the variable of a function's result that has its name.
  renamesIncompletely: true,
  // Counts code points, without announcing it.
  positionEncodings: ['utf-32'],
  // Publishes diagnostics when a document is opened, not when it changes.
  reopensWhenMatching: /^/,
};

function withWholeLines(symbol: PlainSymbol, lines: readonly string[]): PlainSymbol {
  const { start, end } = symbol.range;
  const first = lines[start.line] ?? '';
  if (start.line === end.line) return withName(symbol, first);
  const range = {
    start: { line: start.line, character: first.length - first.trimStart().length },
    end: { line: end.line, character: (lines[end.line] ?? '').trimEnd().length },
  };
  return { ...symbol, range, selectionRange: range };
}

function withName(symbol: PlainSymbol, line: string): PlainSymbol {
  const word = new RegExp(`(?<!\\w)${RegExp.escape(symbol.name)}(?!\\w)`, 'i');
  const character = word.exec(line)?.index;
  if (character === undefined) return symbol;
  const at = symbol.range.start.line;
  const end = { line: at, character: character + symbol.name.length };
  const range = { start: { line: at, character }, end };
  return { ...symbol, range, selectionRange: range };
}

export const fortran = defineServer({
  id: 'fortran',
  name: 'fortls',
  homepage: 'https://fortls.fortran-lang.org',
  files: filesOf({ fortran: '.f90 .f95 .f03 .f08 .f .for .fpp .F90 .F' }),
  install: [{ from: 'pypi', packages: { fortls: '3.2.2' }, run: { python: 'fortls.__init__:main', atLeast: '3.9' } }],
  versionKey: 'fortls_version',
  // Otherwise it queries the Python Package Index for a newer version.
  args: ['--disable_autoupdate'],
  watchedFiles: ['.fortls', '.fortlsrc'],
  ignoredDirectories: ['build', 'Build', 'BUILD', 'bin', 'lib', 'mod', 'obj', '.cmake', 'CMakeFiles'],
  quirks: fortlsQuirks,
  symbolsVersion: 3,
});
