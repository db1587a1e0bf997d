import { defineServer, npmPackage } from '../../servers/spec.ts';

export const json = defineServer({
  id: 'json',
  name: 'vscode-json-languageserver',
  homepage: 'https://github.com/microsoft/vscode/tree/main/extensions/json-language-features',
  files: { '.json': 'json', '.jsonc': 'jsonc' },
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [npmPackage('vscode-json-languageserver', '1.3.4', 'bin/vscode-json-languageserver')],
  versionKey: 'json_language_server_version',
  args: ['--stdio'],
  // No protocol for schemas: the server would download the `$schema` of a file.
  initializationOptions: { handledSchemaProtocols: [], provideFormatter: false },
  settings: { json: { validate: { enable: true } } },
  ignoredDirectories: ['node_modules'],
});
