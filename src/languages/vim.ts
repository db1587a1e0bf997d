import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import type { Quirks } from '../servers/quirks.ts';
import { defineServer } from '../servers/spec.ts';
import { splitLines } from '../text/lines.ts';
import type { Range } from '../text/place.ts';

const variable = 13;

/**
 * In vim-language-server 2.3.1 the range of a variable ends one line too low, that of a function one column behind its
 * last line. The corrected range of a variable is its name; that of a function ends with its last line. Covered by
 * "overview" of its conformance answers.
 */
const vimQuirks: Quirks = {
  adjustSymbols: (symbols, text) => {
    const lines = splitLines(text);
    return symbols.map((symbol) => corrected(symbol, lines));
  },
};

function rangeOf({ kind, name, range: { start, end } }: PlainSymbol, lines: readonly string[]): Range {
  if (kind === variable) return { start, end: { line: start.line, character: start.character + name.length } };
  return { start, end: { line: end.line, character: (lines[end.line] ?? '').trimEnd().length } };
}

function corrected(symbol: PlainSymbol, lines: readonly string[]): PlainSymbol {
  const range = rangeOf(symbol, lines);
  const children = symbol.children.map((child) => corrected(child, lines));
  return { ...symbol, range, selectionRange: range, children };
}

export const vim = defineServer({
  id: 'vim',
  name: 'vim-language-server',
  homepage: 'https://github.com/iamcco/vim-language-server',
  files: { '.vim': 'vim' },
  install: [
    {
      from: 'npm',
      packages: { 'vim-language-server': '2.3.1' },
      entry: 'node_modules/vim-language-server/bin/index.js',
    },
  ],
  programNames: ['vim-language-server'],
  args: ['--stdio'],
  // It would read Vim's own files from the user's machine.
  initializationOptions: { iskeyword: '@,48-57,_,192-255,-#', indexes: { runtimepath: false } },
  ready: { when: 'initialized' },
  watchedFiles: [],
  // The server searches documents that are open, and files beside them.
  projectMarkers: [],
  mayAnswerStale: true,
  ignoredDirectories: [],
  quirks: vimQuirks,
  symbolsVersion: 1,
  // It may lose references after a file was renamed or the server was started again, and says nothing about it.
  needsExplicitChoice: true,
});
