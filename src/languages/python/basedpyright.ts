import { defineServer } from '../../servers/spec.ts';
import { pyrightQuirks } from './pyright.ts';
import { python } from './servers.ts';

export const pythonBasedpyright = defineServer({
  id: 'python_basedpyright',
  name: 'basedpyright',
  homepage: 'https://docs.basedpyright.com',
  files: python.files,
  needsExplicitChoice: true,
  install: [
    {
      from: 'npm',
      packages: { basedpyright: '1.40.1' },
      entry: 'node_modules/basedpyright/langserver.index.js',
    },
  ],
  versionKey: 'basedpyright_version',
  args: ['--stdio'],
  ready: python.ready,
  watchedFiles: python.watchedFiles,
  ignoredDirectories: python.ignoredDirectories,
  quirks: pyrightQuirks,
  symbolsVersion: 3,
});
