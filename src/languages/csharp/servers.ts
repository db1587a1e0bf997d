import { defineServer } from '../../servers/spec.ts';

export const csharp = defineServer({
  id: 'csharp',
  name: 'roslyn-language-server',
  homepage: 'https://github.com/dotnet/roslyn',
  files: { '.cs': 'csharp' },
  install: [
    { from: 'dotnet', tool: 'roslyn-language-server', version: '5.5.0-2.26078.4', bin: 'roslyn-language-server' },
  ],
  args: ['--stdio', '--logLevel=Information', '--extensionLogDirectory={temp}'],
  env: { DOTNET_CLI_TELEMETRY_OPTOUT: '1' },
  versionKey: 'csharp_language_server_version',
  ignoredSettings: ['runtime_dependencies'],
  ready: { when: 'notified', method: 'workspace/projectInitializationComplete', timeoutMs: 120_000 },
  watchedFiles: ['.csproj', '.sln', '.slnx', 'Directory.Build.props'],
  ignoredDirectories: ['bin', 'obj', 'packages', '.vs'],
  // `Add(int, int) : int`, `Pair : (int, int)`
  nameRules: [{ from: /(?: : |\().*$/s }],
  quirks: {
    // Its own `--autoLoadProjects` would load every `.csproj`, including those in ignored directories, where a failed
    // restore hides the diagnostics of the others. Projects listed in a solution are loaded even if ignored.
    opensBuildFiles: [
      { extensions: ['.sln', '.slnx'], method: 'solution/open', parameter: 'solution', isOutermostOnly: true },
      { extensions: ['.csproj'], method: 'project/open', parameter: 'projects' },
    ],
    needsFileEvents: true,
  },
  symbolsVersion: 2,
});

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
