import { defineServer } from '../../servers/spec.ts';

export const r = defineServer({
  id: 'r',
  name: 'languageserver',
  homepage: 'https://github.com/REditorSupport/languageserver',
  files: { '.R': 'r', '.r': 'r', '.Rmd': 'rmd', '.Rnw': 'rnoweb' },
  install: [
    {
      from: 'path',
      bins: ['R'],
      hint: 'install R, and in it `install.packages("languageserver")`',
      probe: ['--vanilla', '--no-echo', '-e', 'quit(status = !requireNamespace("languageserver", quietly = TRUE))'],
    },
  ],
  args: ['--vanilla', '--quiet', '--no-echo', '-e', 'languageserver::run()'],
  ignoredDirectories: ['renv', 'packrat', '.Rproj.user', 'vignettes'],
});

export const rArity = defineServer({
  id: 'r_arity',
  name: 'arity',
  homepage: 'https://github.com/jolars/arity',
  files: { '.R': 'r', '.r': 'r' },
  needsExplicitChoice: true,
  install: [{ from: 'pypi', packages: { arity: '0.27.0' }, run: { program: 'bin/arity{exe}' } }],
  args: ['lsp'],
  watchedFiles: ['DESCRIPTION', 'NAMESPACE', 'arity.toml'],
  ignoredDirectories: ['renv', 'packrat', '.Rproj.user'],
});
