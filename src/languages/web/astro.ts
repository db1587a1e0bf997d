import { pullDiagnostics } from '../../lsp/features/diagnostics.ts';
import { defineServer } from '../../servers/spec.ts';
import { referencesOfAll } from '../references-of-all.ts';
import { typescriptCompanion } from '../typescript/companion.ts';
import { typescript } from '../typescript/servers.ts';
import { withoutShorthands } from '../typescript/without-shorthands.ts';

const packages = {
  '@astrojs/language-server': '2.17.1',
  'typescript-language-server': '6.0.2',
  '@astrojs/ts-plugin': '1.10.12',
  typescript: '6.0.3',
};

const scripts = typescriptCompanion({
  id: 'astro',
  language: 'Astro',
  extension: '.astro',
  packages,
  plugin: '@astrojs/ts-plugin',
});

export const astro = defineServer({
  id: 'astro',
  name: 'Astro language server',
  homepage: 'https://github.com/withastro/astro',
  files: { '.astro': 'astro' },
  install: [{ from: 'npm', packages, entry: 'node_modules/@astrojs/language-server/bin/nodeServer.js' }],
  versionKey: 'astro_language_server_version',
  args: ['--stdio'],
  initializationOptions: { typescript: { tsdk: '{directory}/node_modules/typescript/lib' } },
  // A list of files, without which no style block is read.
  settings: { css: { customData: [] } },
  ready: { when: 'initialized' },
  watchedFiles: [...Object.keys(typescript.files), 'tsconfig.json', 'jsconfig.json', 'package.json'],
  projectMarkers: ['tsconfig.json', 'jsconfig.json'],
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage', '.astro'],
  quirks: {
    adjustSymbols: withoutShorthands,
    references: referencesOfAll,
    // It publishes syntax errors, often none, long before the rest. It does not declare the request, but answers it.
    diagnostics: pullDiagnostics,
    companions: [scripts],
  },
  symbolsVersion: 1,
});
