import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import type { Quirks } from '../servers/quirks.ts';
import { defineServer } from '../servers/spec.ts';
import { nestedRanges, referencesOfAll } from './corrections.ts';

/**
 * In fortls 3.2 every range starts and ends at column 0. That of a procedure or type ends before its `end` statement,
 * so that text inserted after it would land inside it; that of a variable is empty. All symbols are in one list. The corrected ranges start with the
 * statement and end with the `end` statement; that of a variable is its name. Covered by the test of insertions in
 * `test/languages/fortran/fortran.test.ts`.
 */
const fortlsQuirks: Quirks = {
  adjustSymbols: (symbols, text) => {
    const lines = text.split(/\r\n|\n|\r/);
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
  files: {
    '.f90': 'fortran',
    '.f95': 'fortran',
    '.f03': 'fortran',
    '.f08': 'fortran',
    '.f': 'fortran',
    '.for': 'fortran',
    '.fpp': 'fortran',
    '.F90': 'fortran',
    '.F': 'fortran',
  },
  install: [{ from: 'pypi', packages: { fortls: '3.2.2' }, run: { python: 'fortls.__init__:main', atLeast: '3.9' } }],
  versionKey: 'fortls_version',
  // Otherwise it queries the Python Package Index for a newer version.
  args: ['--disable_autoupdate'],
  ready: { when: 'initialized' },
  watchedFiles: ['.fortls', '.fortlsrc'],
  ignoredDirectories: ['build', 'Build', 'BUILD', 'bin', 'lib', 'mod', 'obj', '.cmake', 'CMakeFiles'],
  quirks: fortlsQuirks,
  symbolsVersion: 3,
});
