import { defineServer, onPath } from '../servers/spec.ts';

const version = '0.0-4051-g9fdb4057';

function asset(ending: string, exe = '') {
  return { file: `verible-v${version}-${ending}`, bin: `verible-v${version}/bin/verible-verilog-ls${exe}` };
}

export const systemverilog = defineServer({
  id: 'systemverilog',
  name: 'verible-verilog-ls',
  homepage: 'https://github.com/chipsalliance/verible',
  files: { '.sv': 'systemverilog', '.svh': 'systemverilog', '.v': 'verilog', '.vh': 'verilog' },
  install: [
    onPath('verible-verilog-ls', 'install Verible and put `verible-verilog-ls` on `PATH`'),
    {
      from: 'archive',
      version,
      url: 'https://github.com/chipsalliance/verible/releases/download/v{version}/{file}',
      assets: {
        'linux-x64': asset('linux-static-x86_64.tar.gz'),
        'linux-x64-musl': asset('linux-static-x86_64.tar.gz'),
        'linux-arm64': asset('linux-static-arm64.tar.gz'),
        'linux-arm64-musl': asset('linux-static-arm64.tar.gz'),
        'darwin-x64': asset('macOS.tar.gz'),
        'darwin-arm64': asset('macOS.tar.gz'),
        'win32-x64': asset('win64.zip', '.exe'),
      },
    },
  ],
  versionKey: 'verible_version',
  watchedFiles: ['verible.filelist'],
});
