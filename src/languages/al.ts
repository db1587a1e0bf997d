import { defineServer } from '../servers/spec.ts';

export const al = defineServer({
  id: 'al',
  name: 'AL language server',
  homepage: 'https://github.com/microsoft/AL',
  files: { '.al': 'al', '.dal': 'al' },
  install: [
    {
      from: 'archive',
      version: '18.0.2242655',
      url: 'https://marketplace.visualstudio.com/_apis/public/gallery/publishers/ms-dynamics-smb/vsextensions/al/{version}/{file}',
      assets: {
        'linux-x64': { file: 'vspackage', bin: 'extension/bin/linux/Microsoft.Dynamics.Nav.EditorServices.Host' },
        'linux-arm64': { file: 'vspackage', bin: 'extension/bin/linux/Microsoft.Dynamics.Nav.EditorServices.Host' },
        'darwin-x64': { file: 'vspackage', bin: 'extension/bin/darwin/Microsoft.Dynamics.Nav.EditorServices.Host' },
        'darwin-arm64': { file: 'vspackage', bin: 'extension/bin/darwin/Microsoft.Dynamics.Nav.EditorServices.Host' },
        'win32-x64': { file: 'vspackage', bin: 'extension/bin/win32/Microsoft.Dynamics.Nav.EditorServices.Host.exe' },
        'win32-arm64': { file: 'vspackage', bin: 'extension/bin/win32/Microsoft.Dynamics.Nav.EditorServices.Host.exe' },
      },
    },
  ],
  versionKey: 'al_extension_version',
  watchedFiles: ['app.json'],
  ignoredDirectories: [
    '.alpackages',
    '.alcache',
    '.altemplates',
    '.snapshots',
    'out',
    'Reference',
    '.netpackages',
    'bin',
    'obj',
  ],
  // `Codeunit 50000 "Shop Mgt."`, `AddItem(Item: Record Item): Boolean`
  nameRules: [
    { from: /^[A-Z]\w*(?:\s+\d+)?\s+(?=["\w])/ },
    { from: /^("[^"]*"|\w+)\(.*$/s, to: '$1' },
    { from: /^"([^"]*)"$/, to: '$1' },
  ],
  symbolsVersion: 2,
});
