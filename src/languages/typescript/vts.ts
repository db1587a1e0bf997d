import { defineServer } from '../../servers/spec.ts';
import { componentServers, typescript } from './servers.ts';
import { tsserverQuirks } from './tsserver.ts';

export const typescriptVts = defineServer({
  id: 'typescript_vts',
  name: 'vtsls',
  homepage: 'https://github.com/yioneko/vtsls',
  files: typescript.files,
  needsExplicitChoice: true,
  install: [
    {
      from: 'npm',
      packages: { '@vtsls/language-server': '0.3.0' },
      entry: 'node_modules/@vtsls/language-server/bin/vtsls.js',
    },
  ],
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
  ready: { when: 'initialized' },
  watchedFiles: typescript.watchedFiles,
  projectMarkers: typescript.projectMarkers ?? [],
  referencesMissingFrom: componentServers,
  formatsItself: true,
  ignoredDirectories: typescript.ignoredDirectories,
  quirks: {
    ...tsserverQuirks,
    // vtsls 0.3.0 makes tsserver replace as many lines as the new text has, not as many as the old one had.
    reopensWhenMatching: /^/,
  },
  symbolsVersion: 2,
});
