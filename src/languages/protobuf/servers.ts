import { defineServer } from '../../servers/spec.ts';
import { bufQuirks } from './buf.ts';

export const protobuf = defineServer({
  id: 'protobuf',
  name: 'buf',
  homepage: 'https://buf.build',
  files: { '.proto': 'proto' },
  install: [
    {
      from: 'npm',
      packages: { '@bufbuild/buf': '1.74.0' },
      entry: 'node_modules/@bufbuild/buf/bin/buf',
      // The entry would only start this one.
      runs: { by: '{find:node_modules/@bufbuild/buf-*/bin/buf*}', args: [] },
    },
  ],
  programNames: ['buf'],
  args: ['lsp', 'serve', '--config', '{buf_config}'],
  ready: { when: 'initialized' },
  // Modules that change while it runs leave it without the symbols of some files; they count after a restart.
  watchedFiles: [],
  ignoredDirectories: ['node_modules'],
  quirks: bufQuirks,
  symbolsVersion: 1,
});
