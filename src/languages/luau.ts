import { defineServer, onPath } from '../servers/spec.ts';

export const luau = defineServer({
  id: 'luau',
  name: 'luau-lsp',
  homepage: 'https://github.com/JohnnyMorganz/luau-lsp',
  files: { '.luau': 'luau' },
  install: [
    onPath('luau-lsp', 'install luau-lsp and put it on `PATH`'),
    {
      from: 'archive',
      version: '1.63.0',
      url: 'https://github.com/JohnnyMorganz/luau-lsp/releases/download/{version}/{file}',
      assets: {
        'linux-x64': { file: 'luau-lsp-linux-x86_64.zip', bin: 'luau-lsp' },
        'linux-arm64': { file: 'luau-lsp-linux-arm64.zip', bin: 'luau-lsp' },
        'darwin-x64': { file: 'luau-lsp-macos.zip', bin: 'luau-lsp' },
        'darwin-arm64': { file: 'luau-lsp-macos.zip', bin: 'luau-lsp' },
        'win32-x64': { file: 'luau-lsp-win64.zip', bin: 'luau-lsp.exe' },
        'win32-arm64': { file: 'luau-lsp-win64.zip', bin: 'luau-lsp.exe' },
      },
    },
  ],
  args: ['lsp'],
  versionKey: 'luau_lsp_version',
  ownSettings: { platform: 'roblox' },
  // Roblox's definitions are published without versions, so they cannot be pinned.
  ignoredSettings: ['roblox_security_level'],
  settings: { 'luau-lsp': { platform: { type: '{platform}' } } },
  watchedFiles: ['.luaurc', 'sourcemap.json'],
  ignoredDirectories: ['node_modules', 'Packages', 'DevPackages', 'roblox_packages', 'build', 'dist'],
});
