import { defineServer } from '../../servers/spec.ts';

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
  symbolsVersion: 1,
});
