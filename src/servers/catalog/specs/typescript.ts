import { tsserverQuirks } from '../quirks/tsserver.ts';
import { defineServer } from '../spec.ts';

/** How every server that drives tsserver is initialized. */
export const typescriptOptions = {
  // It would run `npm install @types/…` by itself.
  disableAutomaticTypingAcquisition: true,
  // With the syntax server answers given while a project loads are partial and look complete.
  tsserver: { path: '{tsserver}', useSyntaxServer: 'never' },
};

export const typescript = defineServer({
  id: 'typescript',
  name: 'typescript-language-server',
  homepage: 'https://github.com/typescript-language-server/typescript-language-server',
  files: {
    '.ts': 'typescript',
    '.tsx': 'typescriptreact',
    '.mts': 'typescript',
    '.cts': 'typescript',
    '.js': 'javascript',
    '.jsx': 'javascriptreact',
    '.mjs': 'javascript',
    '.cjs': 'javascript',
  },
  versionKey: 'typescript_language_server_version',
  install: [
    {
      from: 'npm',
      packages: { 'typescript-language-server': '6.0.2', typescript: '6.0.3' },
      entry: 'node_modules/typescript-language-server/lib/cli.mjs',
    },
  ],
  programNames: ['typescript-language-server'],
  args: ['--stdio'],
  // It would run the project's own `node_modules/typescript`.
  projectCodeSubstitutes: { description: 'TypeScript', paths: { tsserver: 'node_modules/typescript/lib/tsserver.js' } },
  initializationOptions: typescriptOptions,
  ready: { when: 'initialized' },
  watchedFiles: ['tsconfig.json', 'jsconfig.json', 'package.json'],
  projectMarkers: ['tsconfig.json', 'jsconfig.json'],
  referencesMissingFrom: { '.vue': 'vue', '.svelte': 'svelte' },
  ignoredDirectories: ['node_modules', 'dist', 'build'],
  // As ECMAScript has it.
  lineBreaks: /\r\n|[\n\r\u2028\u2029]/g,
  // It counts the former text's lines as LSP does and tells tsserver to replace as many of its own.
  reopensWhenMatching: /[\u2028\u2029]/,
  syntheticNames: ['<function>', '<class>', '<unknown>', ' callback'],
  // A script that is wrapped in a function shows what it defines.
  overview: { without: /^<function>$/ },
  quirks: tsserverQuirks,
  symbolsVersion: 2,
});
