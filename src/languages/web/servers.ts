import { pullDiagnostics } from '../../lsp/features/diagnostics.ts';
import { field } from '../../lsp/readiness/readiness.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { defineServer, type ServerSpec } from '../../servers/spec.ts';
import { referencesOfAll } from '../corrections.ts';
import { withoutImports, withoutShorthands } from '../typescript/corrections.ts';
import { typescript, typescriptCompanion, typescriptOptions } from '../typescript/servers.ts';
import { angularQuirks } from './angular.ts';

/**
 * vue-language-server 3.3 requests TypeScript's data about a file from the client by a notification, and reports no
 * symbols before the response. Symbols do not need that data, so the response is empty. Covered by "overview" of Vue's
 * conformance answers.
 */
const vueQuirks: Quirks = {
  adjustSymbols: withoutShorthands,
  answerNotification: (method, params) => {
    if (method !== 'tsserver/request' || !Array.isArray(params)) return undefined;
    // The library treats a list as positional parameters; the only parameter here is `[id, command, arguments]`.
    const [request]: unknown[] = params;
    return { method: 'tsserver/response', params: [field(request, '0'), null] };
  },
};

const astroPackages = {
  '@astrojs/language-server': '2.17.1',
  'typescript-language-server': '6.0.2',
  '@astrojs/ts-plugin': '1.10.12',
  typescript: '6.0.3',
};

const astroScripts = typescriptCompanion({
  id: 'astro',
  language: 'Astro',
  extension: '.astro',
  packages: astroPackages,
  plugin: '@astrojs/ts-plugin',
});

export const astro = defineServer({
  id: 'astro',
  name: 'Astro language server',
  homepage: 'https://github.com/withastro/astro',
  files: { '.astro': 'astro' },
  install: [{ from: 'npm', packages: astroPackages, entry: 'node_modules/@astrojs/language-server/bin/nodeServer.js' }],
  versionKey: 'astro_language_server_version',
  args: ['--stdio'],
  initializationOptions: { typescript: { tsdk: '{directory}/node_modules/typescript/lib' } },
  // A list of files, without which no style block is read.
  settings: { css: { customData: [] } },
  watchedFiles: [...Object.keys(typescript.files), 'tsconfig.json', 'jsconfig.json', 'package.json'],
  projectMarkers: ['tsconfig.json', 'jsconfig.json'],
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage', '.astro'],
  quirks: {
    adjustSymbols: withoutShorthands,
    references: referencesOfAll,
    // It publishes syntax errors, often none, long before the rest. It does not declare the request, but answers it.
    diagnostics: pullDiagnostics,
    companions: [astroScripts],
  },
});

const mdxPackages = {
  '@mdx-js/language-server': '0.6.4',
  'typescript-language-server': '6.0.2',
  '@mdx-js/typescript-plugin': '0.1.4',
  typescript: '6.0.3',
};

const mdxCompanion = typescriptCompanion({
  id: 'mdx',
  language: 'MDX',
  extension: '.mdx',
  packages: mdxPackages,
  plugin: '@mdx-js/typescript-plugin',
});
const mdxScripts: ServerSpec = { ...mdxCompanion, quirks: { ...mdxCompanion.quirks, preload: 'own-plugins' } };

export const mdx = defineServer({
  id: 'mdx',
  name: 'MDX language server',
  homepage: 'https://github.com/mdx-js/mdx-analyzer',
  files: { '.mdx': 'mdx' },
  // Most MDX is prose.
  needsExplicitChoice: true,
  importText: 'import ',
  install: [{ from: 'npm', packages: mdxPackages, entry: 'node_modules/@mdx-js/language-server/lib/index.js' }],
  args: ['--stdio'],
  initializationOptions: { typescript: { enabled: true, tsdk: '{directory}/node_modules/typescript/lib' } },
  watchedFiles: [...Object.keys(typescript.files), 'tsconfig.json', 'jsconfig.json', 'package.json'],
  projectMarkers: ['tsconfig.json', 'jsconfig.json'],
  isMarkupOrData: true,
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage', '.next', '.docusaurus'],
  quirks: {
    // Headings: it finds links to them in documents that are open only.
    adjustSymbols: (symbols, text) =>
      withoutShorthands(
        symbols.filter(({ name }) => !name.startsWith('#')),
        text,
      ),
    references: referencesOfAll,
    // It publishes syntax errors, often none, long before the rest. It does not declare the request, but answers it.
    diagnostics: pullDiagnostics,
    companions: [mdxScripts],
    // Otherwise it ends where `tsconfig.json` names plugins, which it may not load from the project.
    preload: 'own-plugins',
  },
});

const sveltePackages = {
  'svelte-language-server': '0.18.4',
  'typescript-language-server': '6.0.2',
  'typescript-svelte-plugin': '0.3.52',
  typescript: '6.0.3',
};

const svelteScripts = typescriptCompanion({
  id: 'svelte',
  language: 'Svelte',
  extension: '.svelte',
  packages: sveltePackages,
  plugin: 'typescript-svelte-plugin',
});

export const svelte = defineServer({
  id: 'svelte',
  name: 'svelte-language-server',
  homepage: 'https://github.com/sveltejs/language-tools',
  files: { '.svelte': 'svelte' },
  install: [{ from: 'npm', packages: sveltePackages, entry: 'node_modules/svelte-language-server/bin/server.js' }],
  versionKey: 'svelte_language_server_version',
  args: ['--stdio'],
  // Otherwise it runs the project's `svelte.config.js`, compiler and Prettier.
  initializationOptions: { isTrusted: false },
  watchedFiles: [...Object.keys(typescript.files), 'tsconfig.json', 'jsconfig.json', 'package.json'],
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage'],
  quirks: {
    adjustSymbols: (symbols, text) => withoutShorthands(withoutImports(symbols, text), text),
    companions: [svelteScripts],
  },
  symbolsVersion: 2,
});

const vuePackages = {
  '@vue/language-server': '3.3.11',
  'typescript-language-server': '6.0.2',
  '@vue/typescript-plugin': '3.3.11',
  typescript: '6.0.3',
};

const vueComponents = { '.vue': 'vue' };

/** Reports the symbols of components; TypeScript's server answers all other requests about them. */
const vueSymbols = defineServer({
  id: 'vue',
  name: 'vue-language-server',
  homepage: 'https://github.com/vuejs/language-tools',
  files: vueComponents,
  install: [
    { from: 'npm', packages: vuePackages, entry: 'node_modules/@vue/language-server/bin/vue-language-server.js' },
  ],
  args: ['--stdio'],
  // Lists of files. Without a list in `css.customData` no style block is read, without one in `html.customData` no
  // template.
  settings: { css: { customData: [] }, html: { customData: [] } },
  quirks: vueQuirks,
});

export const vue = defineServer({
  ...typescript,
  id: 'vue',
  name: 'typescript-language-server for Vue',
  homepage: 'https://github.com/vuejs/language-tools',
  files: { ...vueComponents, ...typescript.files },
  install: [{ from: 'npm', packages: vuePackages, entry: 'node_modules/typescript-language-server/lib/cli.mjs' }],
  versionKey: 'vue_language_server_version',
  initializationOptions: {
    ...typescriptOptions,
    plugins: [{ name: '@vue/typescript-plugin', location: '{directory}', languages: ['vue'] }],
  },
  referencesMissingFrom: { '.svelte': 'svelte', '.astro': 'astro', '.mdx': 'mdx' },
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage', '.nuxt', '.output'],
  quirks: {
    ...typescript.quirks,
    symbolServer: vueSymbols,
    ignoresUserProgram: true,
    requiredDirectory: {
      path: 'node_modules/vue',
      gap: 'references in templates are known only if the `vue` package is installed in the project',
    },
    syntheticNames: [...(typescript.quirks?.syntheticNames ?? []), 'script setup', 'style scoped'],
  },
  symbolsVersion: typescript.symbolsVersion + 2,
});

const angularPackages = {
  '@angular/language-server': '22.1.0',
  'typescript-language-server': '6.0.2',
  typescript: '6.0.3',
};

/** Server for the components' classes: ngserver reports no symbols and diagnostics for TypeScript files. */
const angularScripts = defineServer({
  ...typescript,
  id: 'angular',
  name: 'typescript-language-server for Angular',
  install: [{ from: 'npm', packages: angularPackages, entry: 'node_modules/typescript-language-server/lib/cli.mjs' }],
  referencesMissingFrom: { ...typescript.referencesMissingFrom, '.html': 'angular' },
  quirks: { ...typescript.quirks, ignoresUserProgram: true },
});

export const angular = defineServer({
  id: 'angular',
  name: 'Angular language server',
  homepage: 'https://github.com/angular/angular/tree/main/vscode-ng-language-service',
  files: { '.html': 'html', '.htm': 'html' },
  needsExplicitChoice: true,
  install: [
    {
      from: 'npm',
      packages: angularPackages,
      entry: 'node_modules/@angular/language-server/bin/ngserver',
    },
  ],
  versionKey: 'angular_language_server_version',
  args: [
    '--stdio',
    '--useClientSideFileWatcher',
    '--tsProbeLocations',
    '{directory}',
    '--ngProbeLocations',
    '{directory}',
  ],
  // `#name` and `let name` declare variables of a template.
  nameRules: [{ from: /^(?:#|let )(?=[\w$]+$)/ }],
  watchedFiles: [...Object.keys(typescript.files), 'angular.json', 'tsconfig.json', 'package.json'],
  projectMarkers: ['tsconfig.json'],
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage', '.angular', '.nx'],
  quirks: { ...angularQuirks, companions: [angularScripts] },
  symbolsVersion: 2,
});
