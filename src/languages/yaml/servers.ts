import { defineServer } from '../../servers/spec.ts';
import { trimmedRanges } from '../corrections.ts';

export const yaml = defineServer({
  id: 'yaml',
  name: 'yaml-language-server',
  homepage: 'https://github.com/redhat-developer/yaml-language-server',
  files: { '.yaml': 'yaml', '.yml': 'yaml' },
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [
    {
      from: 'npm',
      packages: { 'yaml-language-server': '2.0.0' },
      entry: 'node_modules/yaml-language-server/bin/yaml-language-server',
    },
  ],
  versionKey: 'yaml_language_server_version',
  args: ['--stdio'],
  settings: {
    // Otherwise schemas are downloaded from the internet.
    yaml: { schemaStore: { enable: false }, validate: true },
    redhat: { telemetry: { enabled: false } },
  },
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: ['node_modules'],
  quirks: { adjustSymbols: trimmedRanges },
  symbolsVersion: 1,
});
