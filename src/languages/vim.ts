import { defineServer } from '../servers/spec.ts';
import { vimQuirks } from './vim-corrections.ts';

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
