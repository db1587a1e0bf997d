import { defineServer, npmPackage, onPath, type ServerSpec } from '../../servers/spec.ts';
import { referencesOfAll } from '../corrections.ts';
import { configurationWithBaseUrl } from './base-url.ts';
import { renameWithPlainAliases, withoutImports, withoutShorthands } from './corrections.ts';
import { deletedDeclarator, importActions, typescriptChecks } from './deletions.ts';
import { tsserverAdapter, tsserverQuirks } from './tsserver.ts';

/** Extensions of components with code of TypeScript, each with the id of the server that reads both. */
const componentServers = { '.vue': 'vue', '.svelte': 'svelte', '.astro': 'astro', '.mdx': 'mdx' } as const;

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
  watchedFiles: ['tsconfig.json', 'jsconfig.json', 'package.json'],
  projectMarkers: ['tsconfig.json', 'jsconfig.json'],
  referencesMissingFrom: componentServers,
  formatsItself: true,
  ignoredDirectories: ['node_modules', 'dist', 'build'],
  adapter: tsserverAdapter,
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
  symbolsVersion: 3,
});

/** A server of components, and the plugin with which TypeScript's server reads its files as well. */
interface Components {
  readonly id: string;
  /** Name of the language in the server's name. */
  readonly language: string;
  readonly extension: keyof typeof componentServers;
  /** Versions by package name, with `typescript-language-server` and the plugin. */
  readonly packages: Readonly<Record<string, string>>;
  readonly plugin: string;
}

/** Returns the companion for the scripts of a project: TypeScript's server with the plugin that also reads components. */
export function typescriptCompanion({ id, language, extension, packages, plugin }: Components): ServerSpec {
  const { [extension]: _, ...others } = componentServers;
  return defineServer({
    ...typescript,
    id,
    name: `typescript-language-server for ${language}`,
    install: [{ from: 'npm', packages, entry: 'node_modules/typescript-language-server/lib/cli.mjs' }],
    initializationOptions: { ...typescriptOptions, plugins: [{ name: plugin, location: '{directory}' }] },
    watchedFiles: [...typescript.watchedFiles, extension],
    referencesMissingFrom: others,
    quirks: { ...typescript.quirks, ignoresUserProgram: true },
  });
}

export const typescriptNative = defineServer({
  id: 'typescript_native',
  name: 'TypeScript',
  homepage: 'https://www.typescriptlang.org',
  files: typescript.files,
  needsExplicitChoice: true,
  standsInFor: {
    id: typescript.id,
    npmPackage: 'typescript',
    fromMajor: 7,
    unless: (read) => {
      const path = configurationWithBaseUrl(read);
      return path === undefined ? undefined : `\`${path}\` sets \`baseUrl\``;
    },
  },
  install: [
    {
      from: 'npm',
      packages: { typescript: '7.0.2' },
      entry: 'node_modules/@typescript/typescript-{os}-{cpu}/lib/tsc{exe}',
      runs: 'native',
    },
  ],
  args: ['--lsp', '--stdio'],
  // Otherwise it runs the user's npm to fetch types for the packages that a project's package.json names.
  settings: { 'js/ts': { tsserver: { automaticTypeAcquisition: { enabled: false } } } },
  watchedFiles: typescript.watchedFiles,
  projectMarkers: typescript.projectMarkers ?? [],
  referencesMissingFrom: componentServers,
  formatsItself: true,
  ignoredDirectories: typescript.ignoredDirectories,
  quirks: {
    adjustSymbols: withoutImports,
    references: referencesOfAll,
    rename: renameWithPlainAliases,
    lineBreaks: /\r\n|[\n\r\u2028\u2029]/g,
  },
  adapter: { editChecks: typescriptChecks, importActions, deletedPart: deletedDeclarator },
  symbolsVersion: 2,
});

export const typescriptVts = defineServer({
  id: 'typescript_vts',
  name: 'vtsls',
  homepage: 'https://github.com/yioneko/vtsls',
  files: typescript.files,
  needsExplicitChoice: true,
  install: [npmPackage('@vtsls/language-server', '0.3.0', 'bin/vtsls.js')],
  versionKey: 'vtsls_version',
  args: ['--stdio'],
  settings: {
    typescript: {
      // Otherwise tsserver runs `npm install @types/…`.
      disableAutomaticTypeAcquisition: true,
      // With it, answers during loading of a project are partial but look complete.
      tsserver: { useSyntaxServer: 'never' },
    },
  },
  watchedFiles: typescript.watchedFiles,
  projectMarkers: typescript.projectMarkers ?? [],
  referencesMissingFrom: componentServers,
  formatsItself: true,
  ignoredDirectories: typescript.ignoredDirectories,
  adapter: tsserverAdapter,
  quirks: {
    ...tsserverQuirks,
    // vtsls 0.3.0 makes tsserver replace as many lines as the new text has, not as many as the old one had.
    reopensWhenMatching: /^/,
  },
  symbolsVersion: 3,
});

export const deno = defineServer({
  id: 'deno',
  name: 'Deno',
  homepage: 'https://deno.com',
  files: typescript.files,
  install: [onPath('deno', 'install Deno')],
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
  symbolsVersion: 3,
});
