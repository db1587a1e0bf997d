import type { Quirks } from '../../servers/quirks.ts';
import { defineServer, onPath } from '../../servers/spec.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import { trimmedRanges, withEach } from '../corrections.ts';

const label = /(\\label\s*\{\s*)([^{}]*[^{}\s])/y;

/**
 * texlab 5.25 selects the command `\label` in a section or equation with a label, whose references are all labels:
 *
 * ```latex
 * \section{Prices}
 * \label{sec:prices}   % the selection is `\label`, here `sec:prices`
 * ```
 *
 * Covered by "references" of its conformance answers.
 */
const selectedLabels: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const { starts } = textLines(text);
  return withEach(symbols, (symbol) => {
    label.lastIndex = offsetAt(text, starts, symbol.selectionRange.start) ?? text.length;
    const found = label.exec(text);
    if (found === null) return symbol;
    const [, command = '', name = ''] = found;
    const from = found.index + command.length;
    const selectionRange = { start: positionAt(text, starts, from), end: positionAt(text, starts, from + name.length) };
    return { ...symbol, selectionRange };
  });
};

export const latex = defineServer({
  id: 'latex',
  name: 'texlab',
  homepage: 'https://github.com/latex-lsp/texlab',
  files: { '.tex': 'latex', '.sty': 'latex', '.cls': 'latex', '.bib': 'bibtex' },
  install: [
    onPath('texlab', 'install texlab, as with `cargo install texlab`'),
    {
      from: 'archive',
      version: '5.25.1',
      url: 'https://github.com/latex-lsp/texlab/releases/download/v{version}/{file}',
      assets: {
        'linux-x64': { file: 'texlab-x86_64-linux.tar.gz', bin: 'texlab' },
        'linux-arm64': { file: 'texlab-aarch64-linux.tar.gz', bin: 'texlab' },
        'darwin-x64': { file: 'texlab-x86_64-macos.tar.gz', bin: 'texlab' },
        'darwin-arm64': { file: 'texlab-aarch64-macos.tar.gz', bin: 'texlab' },
        'win32-x64': { file: 'texlab-x86_64-windows.zip', bin: 'texlab.exe' },
      },
    },
  ],
  needsExplicitChoice: true,
  isMarkupOrData: true,
  versionKey: 'texlab_version',
  ignoredDirectories: ['_minted', '_build', 'build', 'out', 'auto'],
  // `define \currency`
  nameRules: [{ from: /^define (?=\\)/ }],
  quirks: { adjustSymbols: selectedLabels },
  symbolsVersion: 2,
});

export const latexBadness = defineServer({
  id: 'latex_badness',
  name: 'badness',
  homepage: 'https://github.com/jolars/badness',
  files: latex.files,
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [{ from: 'pypi', packages: { badness: '0.28.0' }, run: { program: 'bin/badness{exe}' } }],
  args: ['lsp'],
  watchedFiles: ['badness.toml'],
  ignoredDirectories: latex.ignoredDirectories,
  quirks: { adjustSymbols: trimmedRanges },
});
