import { defineServer } from '../../servers/spec.ts';
import { sourcekitQuirks } from './sourcekit.ts';

export const swift = defineServer({
  id: 'swift',
  name: 'sourcekit-lsp',
  homepage: 'https://github.com/swiftlang/sourcekit-lsp',
  files: { '.swift': 'swift' },
  install: [
    {
      from: 'path',
      bins: ['sourcekit-lsp'],
      hint: 'install the Swift toolchain or Xcode, which include sourcekit-lsp',
    },
  ],
  args: [],
  // By default the index is built in `.build` of the project.
  initializationOptions: { swiftPM: { scratchPath: '{cache}/build' } },
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['Package.swift', 'compile_commands.json'],
  ignoredDirectories: ['.build', '.swiftpm', 'node_modules', 'dist', 'build'],
  // `add(_:to:)`
  nameRules: [{ from: /\(.*$/s }],
  quirks: sourcekitQuirks,
  symbolsVersion: 2,
});
