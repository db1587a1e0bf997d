import { defineServer } from '../../servers/spec.ts';

export const rubySolargraph = defineServer({
  id: 'ruby_solargraph',
  name: 'Solargraph',
  homepage: 'https://solargraph.org',
  files: { '.rb': 'ruby' },
  install: [{ from: 'gem', gem: 'solargraph', version: '0.51.1', bin: 'solargraph' }],
  args: ['stdio'],
  needsExplicitChoice: true,
  runsInProject: true,
  env: { GEM_PATH: '{directory}' },
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['Gemfile', 'Gemfile.lock', '.solargraph.yml'],
  ignoredDirectories: ['vendor', '.bundle', 'tmp', 'log', 'coverage', '.yardoc', 'doc', 'node_modules', 'storage'],
  symbolsVersion: 1,
});
