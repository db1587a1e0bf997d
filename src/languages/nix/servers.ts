import { defineServer, onPath } from '../../servers/spec.ts';

export const nix = defineServer({
  id: 'nix',
  name: 'nixd',
  homepage: 'https://github.com/nix-community/nixd',
  files: { '.nix': 'nix' },
  install: [onPath('nixd', 'install Nix, and run `nix profile install github:nix-community/nixd`')],
  ignoredSettings: ['config_path'],
  watchedFiles: ['flake.nix', 'flake.lock'],
  ignoredDirectories: ['result', '.direnv'],
});
