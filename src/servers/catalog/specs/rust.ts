import { rustAnalyzerQuirks } from '../quirks/rust-analyzer.ts';
import { defineServer } from '../spec.ts';

export const rust = defineServer({
  id: 'rust',
  name: 'rust-analyzer',
  homepage: 'https://rust-analyzer.github.io',
  files: { '.rs': 'rust' },
  install: [
    {
      from: 'path',
      bins: ['rust-analyzer'],
      hint: 'Install it with `rustup component add rust-analyzer rust-src`',
      // What rustup puts on `PATH` is there before the component is.
      mayLackServer: true,
    },
  ],
  requires: ['cargo', 'rustc'].map((program) => ({
    program,
    hint: 'Install Rust with rustup: rust-analyzer asks `cargo` and `rustc` about a project',
  })),
  args: [],
  // Each in place of what the project's `.cargo/config.toml` may name: programs, and flags that have rustc load a library.
  env: { RUSTC: 'rustc', RUSTC_WRAPPER: '', RUSTC_WORKSPACE_WRAPPER: '', RUSTFLAGS: '' },
  initializationOptions: {
    // Build scripts and procedural macros would run code of the project, which nobody may have looked at yet.
    cargo: {
      buildScripts: { enable: false },
      features: '{cargo_features}',
      noDefaultFeatures: '{cargo_no_default_features}',
    },
    procMacro: { enable: false },
    // It would build the whole project with each file that is saved.
    checkOnSave: false,
    // Otherwise its search takes the files of one target for those of another and finds no uses inside their macros.
    cachePriming: { enable: true, numThreads: 1 },
  },
  // Code behind a feature that is off is not analyzed, and nothing is found there.
  ownSettings: { cargo_features: 'all', cargo_no_default_features: false },
  startHints: [
    {
      matching: /no default (?:toolchain )?is configured/,
      hint: 'Choose a toolchain with `rustup default stable`, then add `rustup component add rust-analyzer rust-src`',
    },
  ],
  ready: {
    when: 'notified',
    method: 'experimental/serverStatus',
    matching: { quiescent: true },
    // With a change to the targets of a package it reads all packages anew.
    busyAgain: { quiescent: false },
    timeoutMs: 120_000,
  },
  resolvesToImplementations: true,
  notAnalyzedCodes: { file: 'unlinked-file', region: 'inactive-code' },
  diagnosticsGap: {
    missing: 'Compiler errors may be missing, such as unknown names and those of the borrow checker',
    reason: 'rust-analyzer does not run `cargo check`, which would run code of the project',
    next: 'Run `cargo check`',
  },
  watchedFiles: ['Cargo.toml', 'Cargo.lock', 'rust-project.json'],
  ignoredDirectories: ['target'],
  quirks: rustAnalyzerQuirks,
  symbolsVersion: 1,
});
