import type { Quirks } from '../servers/quirks.ts';
import { defineServer, npmPackage } from '../servers/spec.ts';
import { splitLines } from '../text/lines.ts';
import { withEach } from './corrections.ts';
import { symbolKinds } from './outline-rules.ts';

/**
 * vim-language-server 2.3.1 ends the range of a variable one line too low, and that of a function one column too far:
 *
 * ```vim
 * let s:total = 1
 * function! Twice()   " the range of `s:total` ends in this line; here it is the name
 * endfunction
 * ```
 *
 * Covered by "overview" of its conformance answers.
 */
const vimQuirks: Quirks = {
  adjustSymbols: (symbols, text) => {
    const lines = splitLines(text);
    return withEach(symbols, (symbol) => {
      const { kind, name } = symbol;
      const { start, end } = symbol.range;
      const last = { line: end.line, character: (lines[end.line] ?? '').trimEnd().length };
      const nameEnd = { line: start.line, character: start.character + name.length };
      const range = { start, end: kind === symbolKinds.variable ? nameEnd : last };
      return { ...symbol, range, selectionRange: range };
    });
  },
};

export const vim = defineServer({
  id: 'vim',
  name: 'vim-language-server',
  homepage: 'https://github.com/iamcco/vim-language-server',
  files: { '.vim': 'vim' },
  install: [npmPackage('vim-language-server', '2.3.1', 'bin/index.js')],
  programNames: ['vim-language-server'],
  args: ['--stdio'],
  // It would read Vim's own files from the user's machine.
  initializationOptions: { iskeyword: '@,48-57,_,192-255,-#', indexes: { runtimepath: false } },
  // The server searches documents that are open, and files beside them.
  projectMarkers: [],
  mayAnswerStale: true,
  quirks: vimQuirks,
  // It may lose references after a file was renamed or the server was started again, and says nothing about it.
  needsExplicitChoice: true,
});
