import { defineServer, npmPackage } from '../../servers/spec.ts';
import { trimmedRanges } from '../corrections.ts';

export const yaml = defineServer({
  id: 'yaml',
  name: 'yaml-language-server',
  homepage: 'https://github.com/redhat-developer/yaml-language-server',
  files: { '.yaml': 'yaml', '.yml': 'yaml' },
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [npmPackage('yaml-language-server', '2.0.0', 'bin/yaml-language-server')],
  versionKey: 'yaml_language_server_version',
  args: ['--stdio'],
  settings: {
    // Otherwise schemas are downloaded from the internet.
    yaml: { schemaStore: { enable: false }, validate: true },
    redhat: { telemetry: { enabled: false } },
  },
  ignoredDirectories: ['node_modules'],
  quirks: { adjustSymbols: trimmedRanges },
});
