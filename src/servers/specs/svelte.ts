import { defineServer } from '../spec.ts';

export const svelte = defineServer({
  id: 'svelte',
  name: 'svelte-language-server',
  homepage: 'https://github.com/sveltejs/language-tools',
  files: {
    '.svelte': 'svelte',
    '.ts': 'typescript',
    '.mts': 'typescript',
    '.cts': 'typescript',
    '.js': 'javascript',
    '.mjs': 'javascript',
    '.cjs': 'javascript',
  },
  install: [
    {
      from: 'npm',
      packages: { 'svelte-language-server': '0.18.4', typescript: '6.0.3' },
      entry: 'node_modules/svelte-language-server/bin/server.js',
    },
  ],
  versionKey: 'svelte_language_server_version',
  args: ['--stdio'],
  ready: { when: 'initialized' },
  watchedFiles: ['tsconfig.json', 'jsconfig.json', 'package.json', 'svelte.config.js'],
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage'],
  symbolsVersion: 1,
});
