import { defineServer, onPath } from '../servers/spec.ts';

export const pascal = defineServer({
  id: 'pascal',
  name: 'pasls',
  homepage: 'https://github.com/zen010101/pascal-language-server',
  files: { '.dpk': 'pascal', '.dpr': 'pascal', '.lpr': 'pascal', '.pas': 'pascal' },
  install: [
    onPath('pasls', 'build pasls and put it on `PATH`'),
    {
      from: 'archive',
      version: '0.2.0',
      url: 'https://github.com/zen010101/pascal-language-server/releases/download/v{version}/{file}',
      assets: {
        'linux-x64': { file: 'pasls-x86_64-linux.tar.gz', bin: 'pasls' },
        'linux-arm64': { file: 'pasls-aarch64-linux.tar.gz', bin: 'pasls' },
        'darwin-x64': { file: 'pasls-x86_64-darwin.zip', bin: 'pasls' },
        'darwin-arm64': { file: 'pasls-aarch64-darwin.zip', bin: 'pasls' },
        'win32-x64': { file: 'pasls-x86_64-win64.zip', bin: 'pasls.exe' },
      },
    },
  ],
  filesWhenNamed: { '.inc': 'pascal', '.pp': 'pascal' },
  env: {
    PP: '{pp}',
    FPCDIR: '{fpcdir}',
    LAZARUSDIR: '{lazarusdir}',
    FPCTARGET: '{fpc_target}',
    FPCTARGETCPU: '{fpc_target_cpu}',
  },
  versionKey: 'pasls_version',
  ownSettings: { pp: null, fpcdir: null, lazarusdir: null, fpc_target: null, fpc_target_cpu: null },
  watchedFiles: ['.lpi', '.lpk'],
  ignoredDirectories: ['lib', 'backup', '__history', '__recovery', 'bin', 'node_modules'],
});
