import { defineServer } from '../../servers/spec.ts';

export const nix = defineServer({
  id: 'nix',
  name: 'nixd',
  homepage: 'https://github.com/nix-community/nixd',
  files: { '.nix': 'nix' },
  install: [
    { from: 'path', bins: ['nixd'], hint: 'install Nix, and run `nix profile install github:nix-community/nixd`' },
  ],
  args: [],
  ignoredSettings: ['config_path'],
  ready: { when: 'initialized' },
  watchedFiles: ['flake.nix', 'flake.lock'],
  ignoredDirectories: ['result', '.direnv'],
  symbolsVersion: 1,
});
