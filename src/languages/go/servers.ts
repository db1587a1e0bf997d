import { defineServer } from '../../servers/spec.ts';
import { goAdapter, goplsQuirks } from './gopls.ts';

export const go = defineServer({
  id: 'go',
  name: 'gopls',
  homepage: 'https://go.dev/gopls',
  files: { '.go': 'go' },
  install: [{ from: 'go', module: 'golang.org/x/tools/gopls', version: 'v0.23.0', bin: 'gopls' }],
  requires: [{ program: 'go', hint: 'install Go, which gopls asks about the packages of a project' }],
  // Pull diagnostics are complete; published ones come in parts, the last of them seconds later.
  initializationOptions: { pullDiagnostics: true },
  watchedFiles: ['go.mod', 'go.sum', 'go.work'],
  projectMarkers: ['go.mod'],
  formatsItself: true,
  ignoredDirectories: ['vendor', 'node_modules', 'dist', 'build'],
  // gopls 0.23 names a method `(*T).Name` instead of nesting it.
  nameRules: [{ from: /^.*\./ }],
  quirks: goplsQuirks,
  adapter: goAdapter,
  symbolsVersion: 2,
});
