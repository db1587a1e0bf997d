import { defineServer } from '../../servers/spec.ts';

export const fsharp = defineServer({
  id: 'fsharp',
  name: 'FsAutoComplete',
  homepage: 'https://github.com/ionide/FsAutoComplete',
  files: { '.fs': 'fsharp', '.fsi': 'fsharp', '.fsx': 'fsharp' },
  install: [{ from: 'dotnet', tool: 'fsautocomplete', version: '0.83.0', bin: 'fsautocomplete' }],
  args: [
    '--adaptive-lsp-server-enabled',
    '--project-graph-enabled',
    '--use-fcs-transparent-compiler',
    '--state-directory',
    '{cache}',
  ],
  env: { DOTNET_CLI_TELEMETRY_OPTOUT: '1' },
  versionKey: 'fsautocomplete_version',
  initializationOptions: { AutomaticWorkspaceInit: true },
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['.fsproj', '.sln', '.slnx'],
  ignoredDirectories: ['bin', 'obj', 'packages', '.paket', 'paket-files', '.fake', '.ionide'],
});
