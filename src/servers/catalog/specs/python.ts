import { pyrightQuirks } from '../quirks/pyright.ts';
import { defineServer } from '../spec.ts';

export const python = defineServer({
  id: 'python',
  name: 'pyright',
  homepage: 'https://github.com/microsoft/pyright',
  files: { '.py': 'python', '.pyi': 'python' },
  versionKey: 'pyright_version',
  install: [{ from: 'npm', packages: { pyright: '1.1.414' }, entry: 'node_modules/pyright/langserver.index.js' }],
  programNames: ['pyright-langserver'],
  args: ['--stdio'],
  // Without it a large project takes minutes under Bun (`spec/installer.md` §2.2).
  preload: 'heap-statistics',
  // Said once the project's files are listed; references asked for before then would miss files.
  ready: {
    when: 'notified',
    method: 'window/logMessage',
    matching: { message: /^(Found \d+|No) source files?/ },
    timeoutMs: 60_000,
  },
  supportsClosedFiles: true,
  watchedFiles: ['pyrightconfig.json', 'pyproject.toml'],
  // All its other errors name a rule.
  syntaxErrors: { hasNoCode: true },
  // pyright itself leaves `node_modules` out.
  ignoredDirectories: ['venv', '__pycache__', 'node_modules'],
  quirks: pyrightQuirks,
  symbolsVersion: 1,
});
