import { defineServer } from '../spec.ts';

export const php = defineServer({
  id: 'php',
  name: 'intelephense',
  homepage: 'https://intelephense.com',
  licence: 'proprietary (https://intelephense.com/licence.html)',
  redistributable: false,
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
  initializationOptions: { clearCache: false },
  settings: { intelephense: { telemetry: { enabled: false } } },
  ready: { when: 'notified', method: 'indexingEnded', timeoutMs: 60_000 },
  watchedFiles: [],
  ignoredDirectories: ['node_modules', 'vendor', 'cache'],
  symbolsVersion: 1,
});
