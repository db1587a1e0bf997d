import { defineServer, onPath } from '../../servers/spec.ts';

export const elixir = defineServer({
  id: 'elixir',
  name: 'Expert',
  homepage: 'https://github.com/elixir-lang/expert',
  files: { '.ex': 'elixir', '.exs': 'elixir' },
  install: [
    onPath('expert', 'install Expert and put it on `PATH` as `expert`'),
    {
      from: 'archive',
      version: '0.1.10',
      url: 'https://github.com/elixir-lang/expert/releases/download/v{version}/{file}',
      assets: {
        'linux-x64': { file: 'expert_linux_amd64', bin: 'expert' },
        'linux-arm64': { file: 'expert_linux_arm64', bin: 'expert' },
        'darwin-x64': { file: 'expert_darwin_amd64', bin: 'expert' },
        'darwin-arm64': { file: 'expert_darwin_arm64', bin: 'expert' },
        'win32-x64': { file: 'expert_windows_amd64.exe', bin: 'expert.exe' },
      },
    },
  ],
  args: ['--stdio'],
  requires: [{ program: 'elixir', hint: 'install Elixir and Erlang/OTP' }],
  versionKey: 'expert_version',
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['mix.exs', 'mix.lock'],
  ignoredDirectories: ['_build', 'deps', 'node_modules', '.elixir_ls', '.expert', 'cover'],
  // `def add(a, b)`
  nameRules: [{ from: /^def\w*\s+([^\s(]+).*$/s, to: '$1' }],
  symbolsVersion: 2,
});
