import { defineServer } from '../spec.ts';

export const erlang = defineServer({
  id: 'erlang',
  name: 'erlang_ls',
  homepage: 'https://github.com/erlang-ls/erlang_ls',
  files: { '.erl': 'erlang', '.hrl': 'erlang', '.escript': 'erlang', '.app.src': 'erlang' },
  install: [{ from: 'path', bins: ['erlang_ls'], hint: 'Install erlang_ls and put it on `PATH`' }],
  args: ['--transport', 'stdio'],
  filesWhenNamed: { '.app': 'erlang', '.config': 'erlang' },
  requires: [{ program: 'erl', hint: 'Install Erlang/OTP' }],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['rebar.config', 'erlang_ls.config'],
  ignoredDirectories: ['_build', 'deps', 'ebin', '.rebar3', 'logs', 'node_modules', '_checkouts', 'cover'],
  symbolsVersion: 1,
});
