import { defineServer } from '../servers/spec.ts';

export const typespec = defineServer({
  id: 'typespec',
  name: 'TypeSpec language server',
  homepage: 'https://typespec.io',
  files: { '.tsp': 'typespec' },
  install: [
    {
      from: 'npm',
      packages: { '@typespec/compiler': '1.17.0' },
      entry: 'node_modules/@typespec/compiler/cmd/tsp-server.js',
    },
  ],
  programNames: ['tsp-server'],
  args: ['--stdio'],
  ready: { when: 'initialized' },
  watchedFiles: ['tspconfig.yaml', 'package.json'],
  ignoredDirectories: ['node_modules', 'tsp-output'],
  // References are those of the program of `main.tsp`; the ones of other programs are resolved one by one.
  quirks: { renamesIncompletely: true },
  symbolsVersion: 1,
});
