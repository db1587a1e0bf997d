import { defineServer } from '../spec.ts';
import { python } from './python.ts';

export const pythonJedi = defineServer({
  id: 'python_jedi',
  name: 'jedi-language-server',
  homepage: 'https://github.com/pappasam/jedi-language-server',
  files: python.files,
  needsExplicitChoice: true,
  install: [
    { from: 'pypi', packages: { 'jedi-language-server': '0.47.0' }, run: { python: 'jedi_language_server.cli:cli' } },
  ],
  args: [],
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: python.ignoredDirectories,
  symbolsVersion: 1,
});
