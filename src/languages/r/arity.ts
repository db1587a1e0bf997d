import { defineServer } from '../../servers/spec.ts';

export const rArity = defineServer({
  id: 'r_arity',
  name: 'arity',
  homepage: 'https://github.com/jolars/arity',
  files: { '.R': 'r', '.r': 'r' },
  needsExplicitChoice: true,
  install: [{ from: 'pypi', packages: { arity: '0.27.0' }, run: { program: 'bin/arity{exe}' } }],
  args: ['lsp'],
  ready: { when: 'initialized' },
  watchedFiles: ['DESCRIPTION', 'NAMESPACE', 'arity.toml'],
  ignoredDirectories: ['renv', 'packrat', '.Rproj.user'],
  symbolsVersion: 1,
});
