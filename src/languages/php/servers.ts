import { defineServer } from '../../servers/spec.ts';
import { intelephenseQuirks } from './intelephense.ts';

export const php = defineServer({
  id: 'php',
  name: 'intelephense',
  homepage: 'https://intelephense.com',
  license: { terms: 'proprietary (https://intelephense.com/license.html)', isRedistributable: false },
  files: { '.php': 'php', '.phtml': 'php' },
  install: [
    {
      from: 'npm',
      packages: { intelephense: '1.18.5' },
      isBundled: true,
      entry: 'node_modules/intelephense/lib/intelephense.js',
    },
  ],
  versionKey: 'intelephense_version',
  args: ['--stdio'],
  // The defaults are below the user's home directory.
  initializationOptions: { storagePath: '{temp}', globalStoragePath: '{temp}' },
  env: { NODE_OPTIONS: '--max-old-space-size={maxMemory}' },
  ownSettings: { maxMemory: null, maxFileSize: null, file_filter: null },
  settings: {
    intelephense: {
      telemetry: { enabled: false },
      files: { maxSize: '{maxFileSize}', associations: '{file_filter}' },
    },
  },
  ready: {
    when: 'notified',
    method: 'window/logMessage',
    matching: { message: /^Indexer: Indexing finished/ },
    timeoutMs: 60_000,
  },
  watchedFiles: [],
  ignoredDirectories: ['node_modules', 'vendor', 'cache'],
  quirks: intelephenseQuirks,
  symbolsVersion: 2,
});
