import { defineServer } from '../../servers/spec.ts';
import { typescript, typescriptOptions } from '../typescript/servers.ts';
import { vueQuirks } from './vue-corrections.ts';

const packages = {
  '@vue/language-server': '3.3.11',
  'typescript-language-server': '6.0.2',
  '@vue/typescript-plugin': '3.3.11',
  typescript: '6.0.3',
};

const components = { '.vue': 'vue' };

/** Reports the symbols of components; TypeScript's server answers all other requests about them. */
const symbols = defineServer({
  id: 'vue',
  name: 'vue-language-server',
  homepage: 'https://github.com/vuejs/language-tools',
  files: components,
  install: [{ from: 'npm', packages, entry: 'node_modules/@vue/language-server/bin/vue-language-server.js' }],
  args: ['--stdio'],
  // Lists of files. Without a list in `css.customData` no style block is read, without one in `html.customData` no
  // template.
  settings: { css: { customData: [] }, html: { customData: [] } },
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: [],
  quirks: vueQuirks,
  symbolsVersion: 1,
});

export const vue = defineServer({
  ...typescript,
  id: 'vue',
  name: 'typescript-language-server for Vue',
  homepage: 'https://github.com/vuejs/language-tools',
  files: { ...components, ...typescript.files },
  install: [{ from: 'npm', packages, entry: 'node_modules/typescript-language-server/lib/cli.mjs' }],
  versionKey: 'vue_language_server_version',
  initializationOptions: {
    ...typescriptOptions,
    plugins: [{ name: '@vue/typescript-plugin', location: '{directory}', languages: ['vue'] }],
  },
  referencesMissingFrom: { '.svelte': 'svelte', '.astro': 'astro', '.mdx': 'mdx' },
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage', '.nuxt', '.output'],
  quirks: {
    ...typescript.quirks,
    symbolServer: symbols,
    ignoresUserProgram: true,
    requiredDirectory: {
      path: 'node_modules/vue',
      gap: 'references in templates are known only if the `vue` package is installed in the project',
    },
    syntheticNames: [...(typescript.quirks?.syntheticNames ?? []), 'script setup', 'style scoped'],
  },
  symbolsVersion: typescript.symbolsVersion + 2,
});
