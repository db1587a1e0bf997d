import { defineServer } from '../../servers/spec.ts';
import { python } from './servers.ts';

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
  ready: { when: 'initialized' },
  watchedFiles: ['pyrefly.toml', 'pyproject.toml'],
  mayAnswerStale: true,
  ignoredDirectories: python.ignoredDirectories,
  symbolsVersion: 1,
});
