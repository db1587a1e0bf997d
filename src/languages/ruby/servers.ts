import { defineServer } from '../../servers/spec.ts';

export const ruby = defineServer({
  id: 'ruby',
  name: 'ruby-lsp',
  homepage: 'https://github.com/Shopify/ruby-lsp',
  files: { '.rb': 'ruby', '.erb': 'erb' },
  install: [{ from: 'gem', gem: 'ruby-lsp', version: '0.26.11', bin: 'ruby-lsp' }],
  // Looks for the Gemfile, which determines the gems, in the working directory.
  runsInProject: true,
  // Otherwise the server writes a bundle into the project, installs it, and runs the project's Gemfile.
  env: { GEM_PATH: '{directory}', BUNDLE_GEMFILE: '{temp}/Gemfile' },
  versionKey: 'ruby_lsp_version',
  ready: { when: 'initialized', indexing: { token: 'indexing-progress', timeoutMs: 120_000 } },
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
  // `self.empty`
  nameRules: [{ from: /^self\./ }],
  // Fails on a change without a range.
  quirks: { reopensWhenMatching: /(?:)/ },
  symbolsVersion: 2,
});

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
});
