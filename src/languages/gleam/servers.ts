import { defineServer, onPath } from '../../servers/spec.ts';

export const gleam = defineServer({
  id: 'gleam',
  name: 'gleam',
  homepage: 'https://gleam.run',
  files: { '.gleam': 'gleam' },
  install: [onPath('gleam', 'install Gleam')],
  args: ['lsp'],
  // Looks for `gleam.toml` in its working directory.
  runsInProject: true,
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 60_000 },
  watchedFiles: ['gleam.toml'],
  ignoredDirectories: ['build'],
});
