import { defineServer } from '../../servers/spec.ts';
import { python } from './servers.ts';
import { pythonSymbols } from './symbols.ts';

export const pythonZuban = defineServer({
  id: 'python_zuban',
  name: 'Zuban',
  homepage: 'https://zubanls.com',
  files: python.files,
  needsExplicitChoice: true,
  install: [{ from: 'pypi', packages: { zuban: '0.10.2' }, run: { program: 'bin/zuban{exe}' } }],
  versionKey: 'zuban_version',
  args: ['server'],
  ready: { when: 'initialized' },
  watchedFiles: ['pyproject.toml', 'mypy.ini', 'setup.cfg'],
  ignoredDirectories: python.ignoredDirectories,
  quirks: { adjustSymbols: pythonSymbols, implementationIsDefinition: true },
  symbolsVersion: 1,
});
