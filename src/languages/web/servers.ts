import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pause } from '../../base/deadline.ts';
import { ReadWriteLock } from '../../base/read-write-lock.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import { pullDiagnostics } from '../../lsp/features/diagnostics.ts';
import { requestDocumentSymbols } from '../../lsp/features/document-symbols.ts';
import { field } from '../../lsp/readiness/readiness.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { defineServer, type ServerSpec } from '../../servers/spec.ts';
import { referencesOfAll } from '../corrections.ts';
import { withoutImports, withoutShorthands } from '../typescript/corrections.ts';
import { typescript, typescriptCompanion, typescriptOptions } from '../typescript/servers.ts';

/**
 * ngserver 22.1 finds no references in templates to an input that is read-only or not public:
 *
 * ```ts
 * @Input('cost') readonly price = 0;   // `<app-item [cost]="1">`, unless `strictInputAccessModifiers` is set
 * ```
 *
 * Returns the attributes of a template that may bind it. An alias is a string of the declaration.
 */
const mentions: NonNullable<Quirks['mentions']> = (name, declaration) => {
  if (!/^(?:@\w+\([^)]*\)\s*)*[^=;{(]*\b(readonly|private|protected)\b/.test(declaration)) return undefined;
  const aliases = [...declaration.matchAll(/(['"])([\w$-]+)\1/g)].flatMap(([, , alias]) => alias ?? []);
  const words = [...new Set([name, ...aliases])].filter((word) => /^[\w$-]+$/.test(word));
  const either = `(?:${words.map((word) => word.replaceAll('$', '\\$')).join('|')})`;
  // Inside a tag, not in the value of an attribute.
  const inTag = `(?<=<[\\w-]+(?:\\s(?:[^<>"',;|{}]|"[^"]*"|'[^']*')*)?[\\s[(]${either})`;
  return { words, pattern: new RegExp(`${either}${inTag}(?=[\\])]*(?:\\s*=|[\\s/>]))`, 'g') };
};

/**
 * ngserver 22.1 does not look again for a template that did not exist when it read the component:
 *
 * ```ts
 * @Component({ templateUrl: './item.html' })   // `item.html` was created later, and has no symbols
 * ```
 *
 * A change of the components beside it that name the template makes ngserver read them again. Covered by "external change" of
 * its conformance answers.
 */
const rereadChanged: NonNullable<Quirks['rereadChanged']> = async (server, paths, limits) => {
  const { documents } = server;
  for (const path of paths.filter((one) => /\.html?$/.test(one) && documents.isOpen(one))) {
    if ((await requestDocumentSymbols(server, path, limits)).length > 0) continue;
    const scripts = readdirSync(dirname(path)).filter((name) => name.endsWith('.ts'));
    for (const script of scripts.map((name) => join(dirname(path), name))) {
      const text = documents.tryTextOf(script);
      if (text?.includes(basename(path)) !== true) continue;
      await documents.trying(new Map([[script, `${text}\n`]]), () => Promise.resolve());
    }
  }
};

/** Time after a change at which ngserver 22.1 checks the changed template, with a margin. */
const checkDelayMs = 310;
/** A check that ngserver drops, because it was sent another document, is asked for again. */
const maxChecks = 5;
/** Checks of the templates of one server, which run one at a time. */
const checks = new WeakMap<LanguageServer, ReadWriteLock>();

/**
 * ngserver 22.1 publishes without the document's version, and drops the check of a template if it is sent another
 * document before that check begins. So templates are checked one at a time. After the first barrier ngserver has read
 * the text, and after the last one it has published: a timer that is due runs between two messages.
 */
const diagnostics: NonNullable<Quirks['diagnostics']> = (server, path, limits) => {
  const lock = checks.get(server) ?? new ReadWriteLock();
  checks.set(server, lock);
  return lock.exclusive(limits.signal ?? new AbortController().signal, () => checkAlone(server, path, limits));
};

async function checkAlone(
  server: LanguageServer,
  path: string,
  limits: RequestLimits,
): Promise<readonly Diagnostic[] | undefined> {
  const { documents } = server;
  const { published } = documents;
  for (let check = 0; check < maxChecks; check++) {
    documents.resend(path);
    await server.waitForBarrier(limits);
    published.discard(path);
    await pause(checkDelayMs, limits.signal);
    await server.waitForBarrier(limits);
    await server.waitForBarrier(limits);
    if (published.has(path)) return published.known(path);
  }
  return undefined;
}

const angularQuirks: Quirks = {
  suppliesReferencesFor: { '.ts': 'typescript' },
  mentions,
  rereadChanged,
  diagnostics,
};

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
