import { defineServer } from '../spec.ts';

export const ruby = defineServer({
  id: 'ruby',
  name: 'ruby-lsp',
  homepage: 'https://github.com/Shopify/ruby-lsp',
  files: { '.rb': 'ruby', '.erb': 'erb' },
  install: [{ from: 'gem', gem: 'ruby-lsp', version: '0.26.11', bin: 'ruby-lsp' }],
  args: [],
  // Looks for the Gemfile, which determines the gems, in the working directory.
  runsInProject: true,
  env: { GEM_PATH: '{directory}' },
  versionKey: 'ruby_lsp_version',
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['Gemfile', 'Gemfile.lock'],
  ignoredDirectories: [
    'vendor',
    '.bundle',
    'tmp',
    'log',
    'coverage',
    '.yardoc',
    'doc',
    'node_modules',
    'storage',
    '.ruby-lsp',
  ],
  symbolsVersion: 1,
});
