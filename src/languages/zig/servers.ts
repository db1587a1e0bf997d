import { defineServer } from '../../servers/spec.ts';

export const zig = defineServer({
  id: 'zig',
  name: 'zls',
  homepage: 'https://github.com/zigtools/zls',
  files: { '.zig': 'zig', '.zon': 'zig' },
  install: [{ from: 'path', bins: ['zls'], hint: 'install Zig and the zls of the same version' }],
  args: [],
  ready: { when: 'initialized' },
  watchedFiles: ['build.zig'],
  ignoredDirectories: ['zig-cache', 'zig-out', '.zig-cache', 'node_modules', 'build', 'dist'],
  symbolsVersion: 1,
});
