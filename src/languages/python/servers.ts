import { defineServer, npmPackage } from '../../servers/spec.ts';
import { referencesOfAll } from '../corrections.ts';
import { jediQuirks, pylspQuirks, symbolsOfJedi } from './jedi.ts';
import { pyrightAdapter, pyrightQuirks } from './pyright.ts';

export const python = defineServer({
  id: 'python',
  name: 'pyright',
  homepage: 'https://github.com/microsoft/pyright',
  files: { '.py': 'python', '.pyi': 'python' },
  versionKey: 'pyright_version',
  install: [npmPackage('pyright', '1.1.414', 'langserver.index.js')],
  programNames: ['pyright-langserver'],
  args: ['--stdio'],
  // Sent once the project's files are listed; earlier requests for references would miss files.
  ready: {
    when: 'notified',
    method: 'window/logMessage',
    matching: { message: /^(Found \d+|No) source files?/ },
    timeoutMs: 60_000,
  },
  watchedFiles: ['pyrightconfig.json', 'pyproject.toml'],
  // pyright itself excludes `node_modules`.
  ignoredDirectories: ['venv', '__pycache__', 'node_modules'],
  quirks: pyrightQuirks,
  adapter: pyrightAdapter,
  symbolsVersion: 3,
});

export const pythonBasedpyright = defineServer({
  id: 'python_basedpyright',
  name: 'basedpyright',
  homepage: 'https://docs.basedpyright.com',
  files: python.files,
  needsExplicitChoice: true,
  install: [npmPackage('basedpyright', '1.40.1', 'langserver.index.js')],
  versionKey: 'basedpyright_version',
  args: ['--stdio'],
  ready: python.ready,
  watchedFiles: python.watchedFiles,
  ignoredDirectories: python.ignoredDirectories,
  quirks: pyrightQuirks,
  adapter: pyrightAdapter,
  symbolsVersion: 3,
});

/** Settings of jedi, for every server that uses it. */
const jediSettings = {
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
  ignoredDirectories: python.ignoredDirectories,
  quirks: jediQuirks,
  symbolsVersion: 2,
});

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
  ignoredDirectories: python.ignoredDirectories,
  quirks: pylspQuirks,
});

export const pythonPyrefly = defineServer({
  id: 'python_pyrefly',
  name: 'pyrefly',
  homepage: 'https://pyrefly.org',
  files: python.files,
  needsExplicitChoice: true,
  install: [{ from: 'pypi', packages: { pyrefly: '1.4.1' }, run: { program: 'bin/pyrefly{exe}' } }],
  versionKey: 'pyrefly_version',
  // Otherwise answers cover only the files read so far.
  args: ['lsp', '--indexing-mode', 'lazy-blocking'],
  // Without a configuration file in the project it would report no errors.
  settings: { python: { pyrefly: { displayTypeErrors: 'force-on' } } },
  watchedFiles: ['pyrefly.toml', 'pyproject.toml'],
  mayAnswerStale: true,
  ignoredDirectories: python.ignoredDirectories,
});

export const pythonTy = defineServer({
  id: 'python_ty',
  name: 'ty',
  homepage: 'https://docs.astral.sh/ty',
  files: python.files,
  needsExplicitChoice: true,
  install: [{ from: 'pypi', packages: { ty: '0.0.105' }, run: { program: 'bin/ty{exe}' } }],
  versionKey: 'ty_version',
  args: ['server'],
  watchedFiles: ['ty.toml', 'pyproject.toml'],
  ignoredDirectories: python.ignoredDirectories,
  quirks: { references: referencesOfAll },
});

export const pythonZuban = defineServer({
  id: 'python_zuban',
  name: 'Zuban',
  homepage: 'https://zubanls.com',
  files: python.files,
  needsExplicitChoice: true,
  install: [{ from: 'pypi', packages: { zuban: '0.10.2' }, run: { program: 'bin/zuban{exe}' } }],
  versionKey: 'zuban_version',
  args: ['server'],
  watchedFiles: ['pyproject.toml', 'mypy.ini', 'setup.cfg'],
  ignoredDirectories: python.ignoredDirectories,
  quirks: { ...symbolsOfJedi, implementationIsDefinition: true },
});
