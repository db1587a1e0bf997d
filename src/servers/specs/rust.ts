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
  initializationOptions: {
    // Both would run code of the project, which nobody may have looked at yet.
    cargo: { buildScripts: { enable: false } },
    procMacro: { enable: false },
    // It would build the whole project with each file that is saved.
    checkOnSave: false,
    // Reading all of the standard library ahead holds back the sign that the project is known.
    cachePriming: { enable: false },
  },
  ready: {
    when: 'notified',
    method: 'experimental/serverStatus',
    matching: { quiescent: true },
    // With a change to the targets of a package it reads all packages anew.
    busyAgain: { quiescent: false },
    timeoutMs: 120_000,
  },
  watchedFiles: ['Cargo.toml', 'Cargo.lock', 'rust-project.json'],
  ignoredDirectories: ['target'],
  symbolsVersion: 1,
});
