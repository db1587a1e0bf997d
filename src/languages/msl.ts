import { defineServer, onPath } from '../servers/spec.ts';

export const msl = defineServer({
  id: 'msl',
  name: 'mSL language server',
  homepage: 'https://en.wikipedia.org/wiki/MIRC_scripting_language',
  files: { '.mrc': 'msl' },
  install: [
    onPath(
      'msl-language-server',
      'no language server for mSL is published: set `ls_base_cmd` to the command of one that speaks LSP',
    ),
  ],
});
