import { referencesOfAll } from '../quirks/references-of-all.ts';
import { withoutShorthands } from '../quirks/without-shorthands.ts';
import { defineServer } from '../spec.ts';
import { typescript, typescriptOptions } from './typescript.ts';

const packages = {
  '@astrojs/language-server': '2.17.1',
  'typescript-language-server': '6.0.2',
  '@astrojs/ts-plugin': '1.10.12',
  typescript: '6.0.3',
};

/** Server for the scripts of the project: TypeScript's server with the plugin that also reads Astro files. */
const scripts = defineServer({
  ...typescript,
  id: 'astro',
  name: 'typescript-language-server for Astro',
  install: [{ from: 'npm', packages, entry: 'node_modules/typescript-language-server/lib/cli.mjs' }],
  initializationOptions: {
    ...typescriptOptions,
    plugins: [{ name: '@astrojs/ts-plugin', location: '{directory}' }],
  },
  watchedFiles: [...typescript.watchedFiles, '.astro'],
  referencesMissingFrom: { '.vue': 'vue', '.svelte': 'svelte', '.mdx': 'mdx' },
  quirks: { ...typescript.quirks, ignoresUserProgram: true },
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
    companions: [scripts],
  },
  symbolsVersion: 1,
});
