import { defineServer, onPath } from '../../servers/spec.ts';

export const zig = defineServer({
  id: 'zig',
  name: 'zls',
  homepage: 'https://github.com/zigtools/zls',
  files: { '.zig': 'zig', '.zon': 'zig' },
  install: [onPath('zls', 'install Zig and the zls of the same version')],
  watchedFiles: ['build.zig'],
  ignoredDirectories: ['zig-cache', 'zig-out', '.zig-cache', 'node_modules', 'build', 'dist'],
});
