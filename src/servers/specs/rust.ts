import { defineServer } from '../spec.ts';

export const rust = defineServer({
  id: 'rust',
  name: 'rust-analyzer',
  homepage: 'https://rust-analyzer.github.io',
  files: { '.rs': 'rust' },
  install: [
    { from: 'path', bins: ['rust-analyzer'], hint: 'Install it with `rustup component add rust-analyzer rust-src`' },
  ],
  args: [],
  ready: {
    when: 'notified',
    method: 'experimental/serverStatus',
    matching: { quiescent: true },
    timeoutMs: 120_000,
  },
  watchedFiles: ['Cargo.toml', 'Cargo.lock', 'rust-project.json'],
  ignoredDirectories: ['target'],
  symbolsVersion: 1,
});
