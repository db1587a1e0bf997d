import { defineServer } from '../../servers/spec.ts';
import { pyrightQuirks } from './pyright.ts';

export const python = defineServer({
  id: 'python',
  name: 'pyright',
  homepage: 'https://github.com/microsoft/pyright',
  files: { '.py': 'python', '.pyi': 'python' },
  versionKey: 'pyright_version',
  install: [{ from: 'npm', packages: { pyright: '1.1.414' }, entry: 'node_modules/pyright/langserver.index.js' }],
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
  symbolsVersion: 3,
});
