import { defineServer } from '../../servers/spec.ts';
import { typescriptCompanion } from '../typescript/companion.ts';
import { typescript } from '../typescript/servers.ts';
import { withoutImports } from '../typescript/without-imports.ts';
import { withoutShorthands } from '../typescript/without-shorthands.ts';

const packages = {
  'svelte-language-server': '0.18.4',
  'typescript-language-server': '6.0.2',
  'typescript-svelte-plugin': '0.3.52',
  typescript: '6.0.3',
};

const scripts = typescriptCompanion({
  id: 'svelte',
  language: 'Svelte',
  extension: '.svelte',
  packages,
  plugin: 'typescript-svelte-plugin',
});

export const svelte = defineServer({
  id: 'svelte',
  name: 'svelte-language-server',
  homepage: 'https://github.com/sveltejs/language-tools',
  files: { '.svelte': 'svelte' },
  install: [{ from: 'npm', packages, entry: 'node_modules/svelte-language-server/bin/server.js' }],
  versionKey: 'svelte_language_server_version',
  args: ['--stdio'],
  // Otherwise it runs the project's `svelte.config.js`, compiler and Prettier.
  initializationOptions: { isTrusted: false },
  ready: { when: 'initialized' },
  watchedFiles: [...Object.keys(typescript.files), 'tsconfig.json', 'jsconfig.json', 'package.json'],
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage'],
  quirks: {
    adjustSymbols: (symbols, text) => withoutShorthands(withoutImports(symbols, text), text),
    companions: [scripts],
  },
  symbolsVersion: 2,
});
