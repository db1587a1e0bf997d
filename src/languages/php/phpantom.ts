import { defineServer } from '../../servers/spec.ts';
import { phpantomQuirks } from './phpantom-corrections.ts';

export const phpPhpantom = defineServer({
  id: 'php_phpantom',
  name: 'PHPantom',
  homepage: 'https://github.com/PHPantom-dev/phpantom_lsp',
  files: { '.php': 'php', '.phtml': 'php' },
  install: [
    { from: 'path', bins: ['phpantom_lsp'], hint: 'install PHPantom and put it on `PATH` as `phpantom_lsp`' },
    {
      from: 'archive',
      version: '0.8.0',
      url: 'https://github.com/PHPantom-dev/phpantom_lsp/releases/download/{version}/{file}',
      assets: {
        'linux-x64': { file: 'phpantom_lsp-x86_64-unknown-linux-gnu.tar.gz', bin: 'phpantom_lsp' },
        'linux-arm64': { file: 'phpantom_lsp-aarch64-unknown-linux-gnu.tar.gz', bin: 'phpantom_lsp' },
        'darwin-x64': { file: 'phpantom_lsp-x86_64-apple-darwin.tar.gz', bin: 'phpantom_lsp' },
        'darwin-arm64': { file: 'phpantom_lsp-aarch64-apple-darwin.tar.gz', bin: 'phpantom_lsp' },
        'win32-x64': { file: 'phpantom_lsp-x86_64-pc-windows-msvc.zip', bin: 'phpantom_lsp.exe' },
        'win32-arm64': { file: 'phpantom_lsp-aarch64-pc-windows-msvc.zip', bin: 'phpantom_lsp.exe' },
      },
    },
  ],
  args: ['--stdio'],
  needsExplicitChoice: true,
  versionKey: 'phpantom_version',
  ignoredSettings: ['ignore_vendor'],
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 60_000 },
  watchedFiles: ['composer.json'],
  ignoredDirectories: ['node_modules', 'cache', 'vendor'],
  quirks: phpantomQuirks,
  symbolsVersion: 2,
});
