import { defineServer, onPath } from '../servers/spec.ts';

export const erlang = defineServer({
  id: 'erlang',
  name: 'ELP',
  homepage: 'https://whatsapp.github.io/erlang-language-platform/',
  files: { '.erl': 'erlang', '.hrl': 'erlang', '.escript': 'erlang', '.app.src': 'erlang' },
  install: [
    onPath('elp', 'install ELP, the Erlang Language Platform, and put it on `PATH` as `elp`'),
    {
      from: 'archive',
      version: '2026-08-10',
      url: 'https://github.com/WhatsApp/erlang-language-platform/releases/download/{version}/{file}',
      assets: {
        'linux-x64': { file: 'elp-linux-x86_64-unknown-linux-gnu-otp-27.3.tar.gz', bin: 'elp' },
        'linux-arm64': { file: 'elp-linux-aarch64-unknown-linux-gnu-otp-27.3.tar.gz', bin: 'elp' },
        'darwin-x64': { file: 'elp-macos-x86_64-apple-darwin-otp-27.3.tar.gz', bin: 'elp' },
        'darwin-arm64': { file: 'elp-macos-aarch64-apple-darwin-otp-27.3.tar.gz', bin: 'elp' },
        'win32-x64': { file: 'elp-windows-x86_64-pc-windows-msvc-otp-27.3.tar.gz', bin: 'elp.exe' },
      },
    },
  ],
  args: ['server'],
  versionKey: 'elp_version',
  filesWhenNamed: { '.app': 'erlang', '.config': 'erlang' },
  requires: [{ program: 'erl', hint: 'install Erlang/OTP' }],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['rebar.config', '.elp.toml'],
  ignoredDirectories: ['_build', 'deps', 'ebin', '.rebar3', 'logs', 'node_modules', '_checkouts', 'cover'],
  symbolsVersion: 2,
});
