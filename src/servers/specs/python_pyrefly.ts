import { defineServer } from '../spec.ts';
import { python } from './python.ts';

export const pythonPyrefly = defineServer({
  id: 'python_pyrefly',
  name: 'pyrefly',
  homepage: 'https://pyrefly.org',
  files: python.files,
  needsExplicitChoice: true,
  install: [{ from: 'pypi', packages: { pyrefly: '1.4.1' }, run: { program: 'bin/pyrefly{exe}' } }],
  versionKey: 'pyrefly_version',
  args: ['lsp'],
  ready: { when: 'initialized' },
  watchedFiles: ['pyrefly.toml', 'pyproject.toml'],
  ignoredDirectories: python.ignoredDirectories,
  symbolsVersion: 1,
});
