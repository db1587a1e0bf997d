import { defineServer } from '../../servers/spec.ts';
import { trimmedRanges } from '../trimmed-ranges.ts';
import { latex } from './servers.ts';

export const latexBadness = defineServer({
  id: 'latex_badness',
  name: 'badness',
  homepage: 'https://github.com/jolars/badness',
  files: latex.files,
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [{ from: 'pypi', packages: { badness: '0.28.0' }, run: { program: 'bin/badness{exe}' } }],
  args: ['lsp'],
  ready: { when: 'initialized' },
  watchedFiles: ['badness.toml'],
  ignoredDirectories: latex.ignoredDirectories,
  quirks: { adjustSymbols: trimmedRanges },
  symbolsVersion: 1,
});
