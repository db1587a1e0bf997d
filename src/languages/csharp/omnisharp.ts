import { defineServer } from '../../servers/spec.ts';

export const csharpOmnisharp = defineServer({
  id: 'csharp_omnisharp',
  name: 'OmniSharp',
  homepage: 'https://github.com/OmniSharp/omnisharp-roslyn',
  files: { '.cs': 'csharp' },
  install: [
    {
      from: 'archive',
      version: '1.39.10',
      url: 'https://roslynomnisharp.blob.core.windows.net/releases/{version}/{file}',
      assets: {
        'linux-x64': { file: 'omnisharp-linux-x64-net6.0-1.39.10.zip', bin: 'OmniSharp' },
        'win32-x64': { file: 'omnisharp-win-x64-net6.0-1.39.10.zip', bin: 'OmniSharp.exe' },
      },
    },
  ],
  args: ['-lsp', '--encoding', 'utf-8'],
  needsExplicitChoice: true,
  requires: [{ program: 'dotnet', hint: 'install .NET 6, 7, 8 or 9' }],
  versionKey: 'omnisharp_version',
  ignoredSettings: ['razor_omnisharp_version'],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['.csproj', '.sln'],
  ignoredDirectories: ['bin', 'obj'],
  // `Add(int a, int b)`
  nameRules: [{ from: /(?: : |\().*$/s }],
  symbolsVersion: 2,
});
