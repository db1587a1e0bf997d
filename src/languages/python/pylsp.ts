import { defineServer } from '../../servers/spec.ts';
import { jediSettings } from './jedi.ts';
import { pylspQuirks } from './pylsp-corrections.ts';
import { python } from './servers.ts';

export const pythonPylsp = defineServer({
  id: 'python_pylsp',
  name: 'python-lsp-server',
  homepage: 'https://github.com/python-lsp/python-lsp-server',
  files: python.files,
  needsExplicitChoice: true,
  install: [
    {
      from: 'pypi',
      packages: {
        'python-lsp-server': '1.15.0',
        'python-lsp-jsonrpc': '1.1.2',
        'docstring-to-markdown': '0.15',
        jedi: '0.20.1',
        parso: '0.8.7',
        pluggy: '1.7.0',
        pyflakes: '3.2.0',
      },
      // Without black, which only formats, and ujson, in place of which it uses the standard library.
      isComplete: true,
      run: { python: 'pylsp.__main__:main', atLeast: '3.10', set: jediSettings },
    },
  ],
  versionKey: 'pylsp_version',
  args: [],
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: python.ignoredDirectories,
  quirks: pylspQuirks,
  symbolsVersion: 1,
});
