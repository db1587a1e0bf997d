import { defineServer } from '../servers/spec.ts';

export const crystal = defineServer({
  id: 'crystal',
  name: 'crystalline',
  homepage: 'https://github.com/elbywan/crystalline',
  files: { '.cr': 'crystal' },
  install: [{ from: 'path', bins: ['crystalline'], hint: 'install Crystal and crystalline' }],
  args: [],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 60_000 },
  watchedFiles: ['shard.yml'],
  ignoredDirectories: [],
  symbolsVersion: 1,
});
