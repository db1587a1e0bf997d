import { defineServer } from '../../servers/spec.ts';
import { referencesOfAll } from '../references-of-all.ts';
import { configurationWithBaseUrl } from './base-url.ts';
import { typescriptChecks } from './checks.ts';
import { deletedDeclarator } from './deletions.ts';
import { renameWithPlainAliases } from './plain-aliases.ts';
import { componentServers, typescript } from './servers.ts';
import { withoutImports } from './without-imports.ts';

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
  ready: { when: 'initialized' },
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
    renamesOneOfUnion: true,
    editChecks: typescriptChecks,
    deletedPart: deletedDeclarator,
  },
  symbolsVersion: 1,
});
