import { defineServer } from '../../servers/spec.ts';
import { withoutShorthands } from './without-shorthands.ts';

export const deno = defineServer({
  id: 'deno',
  name: 'Deno',
  homepage: 'https://deno.com',
  files: {
    '.ts': 'typescript',
    '.mts': 'typescript',
    '.cts': 'typescript',
    '.tsx': 'typescriptreact',
    '.js': 'javascript',
    '.mjs': 'javascript',
    '.cjs': 'javascript',
    '.jsx': 'javascriptreact',
  },
  install: [{ from: 'path', bins: ['deno'], hint: 'install Deno' }],
  args: ['lsp'],
  needsExplicitChoice: true,
  env: { DENO_NO_UPDATE_CHECK: '1' },
  initializationOptions: { enable: true, lint: false },
  settings: { deno: { enable: true, lint: false } },
  // Deno reports no progress. It sends this once it has read the project's settings and packages, even if there are
  // none.
  ready: { when: 'notified', method: 'deno/didRefreshDenoConfigurationTree', timeoutMs: 60_000 },
  watchedFiles: ['deno.json', 'deno.jsonc', 'import_map.json'],
  ignoredDirectories: ['node_modules', 'vendor', 'dist', 'build'],
  quirks: { adjustSymbols: withoutShorthands },
  symbolsVersion: 2,
});
