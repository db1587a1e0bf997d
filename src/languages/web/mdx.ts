import { pullDiagnostics } from '../../lsp/features/diagnostics.ts';
import { defineServer, type ServerSpec } from '../../servers/spec.ts';
import { referencesOfAll } from '../references-of-all.ts';
import { typescriptCompanion } from '../typescript/companion.ts';
import { typescript } from '../typescript/servers.ts';
import { withoutShorthands } from '../typescript/without-shorthands.ts';

const packages = {
  '@mdx-js/language-server': '0.6.4',
  'typescript-language-server': '6.0.2',
  '@mdx-js/typescript-plugin': '0.1.4',
  typescript: '6.0.3',
};

const companion = typescriptCompanion({
  id: 'mdx',
  language: 'MDX',
  extension: '.mdx',
  packages,
  plugin: '@mdx-js/typescript-plugin',
});
const scripts: ServerSpec = { ...companion, quirks: { ...companion.quirks, preload: 'own-plugins' } };

export const mdx = defineServer({
  id: 'mdx',
  name: 'MDX language server',
  homepage: 'https://github.com/mdx-js/mdx-analyzer',
  files: { '.mdx': 'mdx' },
  // Most MDX is prose.
  needsExplicitChoice: true,
  importText: 'import ',
  install: [{ from: 'npm', packages, entry: 'node_modules/@mdx-js/language-server/lib/index.js' }],
  args: ['--stdio'],
  initializationOptions: { typescript: { enabled: true, tsdk: '{directory}/node_modules/typescript/lib' } },
  ready: { when: 'initialized' },
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
    companions: [scripts],
    // Otherwise it ends where `tsconfig.json` names plugins, which it may not load from the project.
    preload: 'own-plugins',
  },
  symbolsVersion: 1,
});
