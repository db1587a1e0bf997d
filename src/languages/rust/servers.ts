import { defineServer } from '../../servers/spec.ts';
import { rustAdapter, rustAnalyzerQuirks } from './rust-analyzer.ts';

export const rust = defineServer({
  id: 'rust',
  name: 'rust-analyzer',
  homepage: 'https://rust-analyzer.github.io',
  files: { '.rs': 'rust' },
  install: [
    {
      from: 'path',
      bins: ['rust-analyzer'],
      hint: 'install it with `rustup component add rust-analyzer rust-src`',
      // rustup puts a proxy on `PATH`, even without the component.
      probe: ['--version'],
    },
  ],
  requires: ['cargo', 'rustc'].map((program) => ({
    program,
    hint: 'install Rust with rustup: rust-analyzer runs `cargo` and `rustc` to read a project',
  })),
  // Override the project's `.cargo/config.toml`, which may name programs, and flags that make rustc load a library.
  env: { RUSTC: 'rustc', RUSTC_WRAPPER: '', RUSTC_WORKSPACE_WRAPPER: '', RUSTFLAGS: '' },
  initializationOptions: {
    // Build scripts and procedural macros would run the project's code, which the user may not have reviewed.
    cargo: {
      buildScripts: { enable: false },
      features: '{cargo_features}',
      noDefaultFeatures: '{cargo_no_default_features}',
    },
    procMacro: { enable: false },
    // Would build the whole project whenever a file is saved.
    checkOnSave: false,
    // Otherwise a file may be assigned to the wrong target, and references inside its macros are not found.
    cachePriming: { enable: true, numThreads: 1 },
  },
  // Code behind a disabled feature is not analyzed, and no references are found there.
  ownSettings: { cargo_features: 'all', cargo_no_default_features: false },
  ready: {
    when: 'notified',
    method: 'experimental/serverStatus',
    matching: { quiescent: true },
    // When the targets of a package change, all packages are read again.
    busyAgain: { quiescent: false },
    timeoutMs: 120_000,
  },
  watchedFiles: ['Cargo.toml', 'Cargo.lock', 'rust-project.json'],
  ignoredDirectories: ['target'],
  quirks: rustAnalyzerQuirks,
  adapter: rustAdapter,
});
