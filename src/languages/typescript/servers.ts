import { defineServer } from '../../servers/spec.ts';
import { tsserverQuirks } from './tsserver.ts';

/** Extensions of components with code of TypeScript, each with the id of the server that reads both. */
export const componentServers = { '.vue': 'vue', '.svelte': 'svelte', '.astro': 'astro', '.mdx': 'mdx' } as const;

/** Initialization options shared by the servers that run tsserver. */
export const typescriptOptions = {
  // Otherwise tsserver runs `npm install @types/…`.
  disableAutomaticTypingAcquisition: true,
  // With the syntax server, answers during loading of a project are partial but look complete.
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
  initializationOptions: typescriptOptions,
  ready: { when: 'initialized' },
  watchedFiles: ['tsconfig.json', 'jsconfig.json', 'package.json'],
  projectMarkers: ['tsconfig.json', 'jsconfig.json'],
  referencesMissingFrom: componentServers,
  formatsItself: true,
  ignoredDirectories: ['node_modules', 'dist', 'build'],
  quirks: {
    ...tsserverQuirks,
    // Otherwise the server runs the project's `node_modules/typescript`.
    projectCodeSubstitutes: {
      description: 'TypeScript',
      paths: { tsserver: 'node_modules/typescript/lib/tsserver.js' },
    },
    // It counts the old text's lines as LSP does, and makes tsserver replace as many lines, which tsserver counts
    // differently.
    reopensWhenMatching: /[\u2028\u2029]/,
  },
  symbolsVersion: 2,
});
