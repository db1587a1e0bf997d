import { defineServer, onPath } from '../servers/spec.ts';

export const crystal = defineServer({
  id: 'crystal',
  name: 'crystalline',
  homepage: 'https://github.com/elbywan/crystalline',
  files: { '.cr': 'crystal' },
  install: [onPath('crystalline', 'install Crystal and crystalline')],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 60_000 },
  watchedFiles: ['shard.yml'],
});
