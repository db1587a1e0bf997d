import { jediQuirks } from '../quirks/jedi.ts';
import { defineServer } from '../spec.ts';
import { python } from './python.ts';

export const pythonJedi = defineServer({
  id: 'python_jedi',
  name: 'jedi-language-server',
  homepage: 'https://github.com/pappasam/jedi-language-server',
  files: python.files,
  needsExplicitChoice: true,
  install: [
    {
      from: 'pypi',
      packages: { 'jedi-language-server': '0.47.0' },
      run: {
        python: 'jedi_language_server.cli:cli',
        atLeast: '3.11',
        set: {
          // It stops searching at 30 files that mention a name, and at 2000 files, without a word.
          'jedi.inference.references:_PARSED_FILE_LIMIT': '1000000000',
          'jedi.inference.references:_OPENED_FILE_LIMIT': '1000000000',
          // It believes what it has kept of a file of the same path unless that is older, and files may be older than that.
          'jedi.settings:cache_directory': '{temp}/jedi',
        },
      },
    },
  ],
  args: [],
  // It counts code points, whatever it has agreed to.
  positionEncodings: ['utf-32', 'utf-16'],
  noDiagnosticsReason: 'looks for syntax errors only',
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: python.ignoredDirectories,
  quirks: jediQuirks,
  symbolsVersion: 2,
});
