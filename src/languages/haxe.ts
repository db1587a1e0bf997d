import { defineServer, onPath } from '../servers/spec.ts';

export const haxe = defineServer({
  id: 'haxe',
  name: 'haxe-language-server',
  homepage: 'https://github.com/vshaxe/haxe-language-server',
  files: { '.hx': 'haxe' },
  install: [
    onPath('haxe-language-server', 'install Haxe and haxe-language-server'),
    {
      from: 'archive',
      version: '2.34.2',
      url: 'https://open-vsx.org/api/nadako/vshaxe/{version}/file/{file}',
      assets: { any: { file: 'nadako.vshaxe-2.34.2.vsix', bin: 'extension/bin/server.js' } },
      runs: 'js',
    },
  ],
  requires: [{ program: 'haxe', hint: 'install Haxe' }],
  versionKey: 'version',
  ownSettings: { buildFile: null, haxePath: 'haxe', renameSourceDirectories: null },
  initializationOptions: { displayArguments: ['{buildFile}'], displayServerConfig: { path: '{haxePath}' } },
  settings: { haxe: { renameSourceDirectories: '{renameSourceDirectories}' } },
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 60_000 },
  watchedFiles: ['.hxml', 'haxelib.json'],
  ignoredDirectories: ['node_modules', 'export', 'dump'],
});
