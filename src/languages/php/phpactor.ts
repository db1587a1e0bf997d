import { defineServer } from '../../servers/spec.ts';

export const phpPhpactor = defineServer({
  id: 'php_phpactor',
  name: 'Phpactor',
  homepage: 'https://phpactor.readthedocs.io',
  files: { '.php': 'php', '.phtml': 'php' },
  install: [
    {
      from: 'archive',
      version: '2025.12.21.1',
      url: 'https://github.com/phpactor/phpactor/releases/download/{version}/{file}',
      assets: { any: { file: 'phpactor.phar', bin: 'phpactor.phar' } },
      runs: { by: 'php' },
    },
  ],
  args: ['language-server'],
  needsExplicitChoice: true,
  requires: [{ program: 'php', hint: 'install PHP 8.1 or newer' }],
  versionKey: 'phpactor_version',
  ignoredSettings: ['ignore_vendor'],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['composer.json', '.phpactor.json'],
  ignoredDirectories: ['node_modules', 'cache', 'vendor'],
  symbolsVersion: 1,
});
