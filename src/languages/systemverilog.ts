import { defineServer } from '../servers/spec.ts';

export const systemverilog = defineServer({
  id: 'systemverilog',
  name: 'verible-verilog-ls',
  homepage: 'https://github.com/chipsalliance/verible',
  files: { '.sv': 'systemverilog', '.svh': 'systemverilog', '.v': 'verilog', '.vh': 'verilog' },
  install: [
    { from: 'path', bins: ['verible-verilog-ls'], hint: 'install Verible and put `verible-verilog-ls` on `PATH`' },
    {
      from: 'archive',
      version: '0.0-4051-g9fdb4057',
      url: 'https://github.com/chipsalliance/verible/releases/download/v{version}/{file}',
      assets: {
        'linux-x64': {
          file: 'verible-v0.0-4051-g9fdb4057-linux-static-x86_64.tar.gz',
          bin: 'verible-v0.0-4051-g9fdb4057/bin/verible-verilog-ls',
        },
        'linux-x64-musl': {
          file: 'verible-v0.0-4051-g9fdb4057-linux-static-x86_64.tar.gz',
          bin: 'verible-v0.0-4051-g9fdb4057/bin/verible-verilog-ls',
        },
        'linux-arm64': {
          file: 'verible-v0.0-4051-g9fdb4057-linux-static-arm64.tar.gz',
          bin: 'verible-v0.0-4051-g9fdb4057/bin/verible-verilog-ls',
        },
        'linux-arm64-musl': {
          file: 'verible-v0.0-4051-g9fdb4057-linux-static-arm64.tar.gz',
          bin: 'verible-v0.0-4051-g9fdb4057/bin/verible-verilog-ls',
        },
        'darwin-x64': {
          file: 'verible-v0.0-4051-g9fdb4057-macOS.tar.gz',
          bin: 'verible-v0.0-4051-g9fdb4057/bin/verible-verilog-ls',
        },
        'darwin-arm64': {
          file: 'verible-v0.0-4051-g9fdb4057-macOS.tar.gz',
          bin: 'verible-v0.0-4051-g9fdb4057/bin/verible-verilog-ls',
        },
        'win32-x64': {
          file: 'verible-v0.0-4051-g9fdb4057-win64.zip',
          bin: 'verible-v0.0-4051-g9fdb4057/bin/verible-verilog-ls.exe',
        },
      },
    },
  ],
  args: [],
  versionKey: 'verible_version',
  ready: { when: 'initialized' },
  watchedFiles: ['verible.filelist'],
  ignoredDirectories: [],
  symbolsVersion: 1,
});
