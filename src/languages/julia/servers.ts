import { defineServer } from '../../servers/spec.ts';

export const julia = defineServer({
  id: 'julia',
  name: 'LanguageServer.jl',
  homepage: 'https://github.com/julia-vscode/LanguageServer.jl',
  files: { '.jl': 'julia' },
  install: [
    {
      from: 'path',
      bins: ['julia'],
      hint: 'install Julia, and in it `using Pkg; Pkg.add("LanguageServer")`',
      probe: [
        ...['--startup-file=no', '--history-file=no', '-e'],
        'exit(isnothing(Base.find_package("LanguageServer")) ? 1 : 0)',
      ],
    },
  ],
  args: ['--startup-file=no', '--history-file=no', '-e', 'using LanguageServer; runserver()', '{root}'],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 180_000 },
  watchedFiles: ['Project.toml', 'Manifest.toml'],
  ignoredDirectories: ['.julia', 'build', 'dist'],
});

export const juliaFatou = defineServer({
  id: 'julia_fatou',
  name: 'fatou',
  homepage: 'https://github.com/jolars/fatou',
  files: { '.jl': 'julia' },
  needsExplicitChoice: true,
  install: [{ from: 'pypi', packages: { fatou: '0.24.0' }, run: { program: 'bin/fatou{exe}' } }],
  versionKey: 'fatou_version',
  args: ['lsp'],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 60_000 },
  watchedFiles: ['Project.toml', 'fatou.toml'],
  ignoredDirectories: ['.julia', 'build', 'dist'],
});
