import { defineServer } from '../../servers/spec.ts';
import { selectedLabels } from './labels.ts';

export const latex = defineServer({
  id: 'latex',
  name: 'texlab',
  homepage: 'https://github.com/latex-lsp/texlab',
  files: { '.tex': 'latex', '.sty': 'latex', '.cls': 'latex', '.bib': 'bibtex' },
  install: [
    { from: 'path', bins: ['texlab'], hint: 'install texlab, as with `cargo install texlab`' },
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
  args: [],
  needsExplicitChoice: true,
  isMarkupOrData: true,
  versionKey: 'texlab_version',
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: ['_minted', '_build', 'build', 'out', 'auto'],
  // `define \currency`
  nameRules: [{ from: /^define (?=\\)/ }],
  quirks: { adjustSymbols: selectedLabels },
  symbolsVersion: 2,
});
