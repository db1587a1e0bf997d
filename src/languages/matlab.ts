import { defineServer } from '../servers/spec.ts';

export const matlab = defineServer({
  id: 'matlab',
  name: 'MATLAB language server',
  homepage: 'https://github.com/mathworks/MATLAB-language-server',
  files: { '.mlx': 'matlab', '.mlapp': 'matlab' },
  install: [
    {
      from: 'archive',
      version: '1.3.9',
      url: 'https://marketplace.visualstudio.com/_apis/public/gallery/publishers/MathWorks/vsextensions/language-matlab/{version}/{file}',
      assets: { any: { file: 'vspackage', bin: 'extension/server/out/index.js' } },
      runs: 'js',
    },
  ],
  args: ['--stdio'],
  // In other projects these are Objective-C.
  filesWhenNamed: { '.m': 'matlab' },
  requires: [
    {
      program: 'matlab',
      setting: 'matlab_path',
      hint: 'install MATLAB R2021b or newer, or name its directory with `matlab_path`',
    },
  ],
  versionKey: 'matlab_extension_version',
  ownSettings: { matlab_path: null },
  settings: {
    MATLAB: { installPath: '{matlab_path}', matlabConnectionTiming: 'onStart', indexWorkspace: true, telemetry: false },
  },
  ignoredDirectories: ['slprj', 'codegen', 'sldemo_cache', 'helperFiles'],
});
