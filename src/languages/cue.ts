import { defineServer } from '../servers/spec.ts';

export const cue = defineServer({
  id: 'cue',
  name: 'cue',
  homepage: 'https://cuelang.org',
  files: { '.cue': 'cue' },
  install: [
    {
      from: 'archive',
      version: '0.16.1',
      url: 'https://github.com/cue-lang/cue/releases/download/v{version}/{file}',
      assets: {
        'linux-x64': { file: 'cue_v0.16.1_linux_amd64.tar.gz', bin: 'cue' },
        'linux-x64-musl': { file: 'cue_v0.16.1_linux_amd64.tar.gz', bin: 'cue' },
        'linux-arm64': { file: 'cue_v0.16.1_linux_arm64.tar.gz', bin: 'cue' },
        'linux-arm64-musl': { file: 'cue_v0.16.1_linux_arm64.tar.gz', bin: 'cue' },
        'darwin-x64': { file: 'cue_v0.16.1_darwin_amd64.tar.gz', bin: 'cue' },
        'darwin-arm64': { file: 'cue_v0.16.1_darwin_arm64.tar.gz', bin: 'cue' },
        'win32-x64': { file: 'cue_v0.16.1_windows_amd64.zip', bin: 'cue.exe' },
        'win32-arm64': { file: 'cue_v0.16.1_windows_arm64.zip', bin: 'cue.exe' },
      },
    },
  ],
  args: ['lsp'],
  versionKey: 'cue_version',
  watchedFiles: ['module.cue'],
  quirks: { publishing: { omitsEmpty: true } },
});
