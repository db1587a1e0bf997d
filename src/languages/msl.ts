import { defineServer } from '../servers/spec.ts';

export const msl = defineServer({
  id: 'msl',
  name: 'mSL language server',
  homepage: 'https://en.wikipedia.org/wiki/MIRC_scripting_language',
  files: { '.mrc': 'msl' },
  install: [
    {
      from: 'path',
      bins: ['msl-language-server'],
      hint: 'no language server for mSL is published: set `ls_base_cmd` to the command of one that speaks LSP',
    },
  ],
  args: [],
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: [],
  symbolsVersion: 1,
});
