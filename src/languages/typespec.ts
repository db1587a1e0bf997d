import { defineServer, npmPackage } from '../servers/spec.ts';

export const typespec = defineServer({
  id: 'typespec',
  name: 'TypeSpec language server',
  homepage: 'https://typespec.io',
  files: { '.tsp': 'typespec' },
  install: [npmPackage('@typespec/compiler', '1.17.0', 'cmd/tsp-server.js')],
  programNames: ['tsp-server'],
  args: ['--stdio'],
  watchedFiles: ['tspconfig.yaml', 'package.json'],
  ignoredDirectories: ['node_modules', 'tsp-output'],
  // References are those of the program of `main.tsp`; the ones of other programs are resolved one by one.
  quirks: { renamesIncompletely: true },
});
