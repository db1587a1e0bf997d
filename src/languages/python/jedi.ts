import { defineServer } from '../../servers/spec.ts';
import { jediQuirks } from './jedi-corrections.ts';
import { python } from './servers.ts';

/** Settings of jedi, for every server that uses it. */
export const jediSettings = {
  // By default jedi silently stops after 30 files that mention a name, and after 2000 files.
  'jedi.inference.references:_PARSED_FILE_LIMIT': '1000000000',
  'jedi.inference.references:_OPENED_FILE_LIMIT': '1000000000',
  // A fresh cache: jedi reuses the entry of a path unless the file is newer, but a changed file may have an earlier time.
  'jedi.settings:cache_directory': '{temp}/jedi',
};

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
        set: jediSettings,
      },
    },
  ],
  args: [],
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: python.ignoredDirectories,
  quirks: jediQuirks,
  symbolsVersion: 2,
});
