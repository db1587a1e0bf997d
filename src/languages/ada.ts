import { defineServer } from '../servers/spec.ts';

export const ada = defineServer({
  id: 'ada',
  name: 'Ada Language Server',
  homepage: 'https://github.com/AdaCore/ada_language_server',
  files: { '.ada': 'ada', '.adb': 'ada', '.ads': 'ada' },
  install: [
    {
      from: 'path',
      bins: ['ada_language_server'],
      hint: 'install ada_language_server, as with `alr install ada_language_server`',
    },
    {
      from: 'archive',
      version: '2026.2.202604091',
      url: 'https://github.com/AdaCore/ada_language_server/releases/download/{version}/{file}',
      assets: {
        'linux-x64': {
          file: 'als-2026.2.202604091-linux-x64.tar.gz',
          bin: 'integration/vscode/ada/x64/linux/ada_language_server',
        },
        'linux-arm64': {
          file: 'als-2026.2.202604091-linux-arm64.tar.gz',
          bin: 'integration/vscode/ada/arm64/linux/ada_language_server',
        },
        'darwin-x64': {
          file: 'als-2026.2.202604091-darwin-x64.tar.gz',
          bin: 'integration/vscode/ada/x64/darwin/ada_language_server',
        },
        'darwin-arm64': {
          file: 'als-2026.2.202604091-darwin-arm64.tar.gz',
          bin: 'integration/vscode/ada/arm64/darwin/ada_language_server',
        },
        'win32-x64': {
          file: 'als-2026.2.202604091-win32-x64.tar.gz',
          bin: 'integration/vscode/ada/x64/win32/ada_language_server.exe',
        },
      },
    },
  ],
  args: [],
  versionKey: 'als_version',
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['.gpr', 'alire.toml'],
  ignoredDirectories: ['obj', 'lib', '.obj', '.objects'],
  symbolsVersion: 1,
});
