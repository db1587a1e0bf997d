import { defineServer } from '../../servers/spec.ts';
import { trimmedRanges } from '../corrections.ts';

export const toml = defineServer({
  id: 'toml',
  name: 'tombi',
  homepage: 'https://tombi-toml.github.io/tombi',
  files: { '.toml': 'toml' },
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [{ from: 'pypi', packages: { tombi: '1.9.6' }, run: { program: 'bin/tombi{exe}' } }],
  // Without `--offline` it downloads schemas from the internet.
  args: ['lsp', '--offline'],
  // Never publishes diagnostics, so each wait lasts for the whole timeout.
  mayAnswerStale: true,
  ignoredDirectories: ['target', '.cargo'],
  quirks: { adjustSymbols: trimmedRanges },
});
