import { defineServer } from '../spec.ts';

export const msl = defineServer({
  id: 'msl',
  name: 'mSL language server',
  homepage: 'https://en.wikipedia.org/wiki/MIRC_scripting_language',
  files: { '.mrc': 'msl' },
  install: [
    {
      from: 'path',
      bins: ['msl-language-server'],
      hint: 'Nobody publishes a language server for mSL: name a command of your own that speaks LSP with `ls_base_cmd`',
    },
  ],
  args: [],
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: [],
  symbolsVersion: 1,
});
