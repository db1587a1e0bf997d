import { defineServer } from '../servers/spec.ts';
import { bslQuirks } from './bsl-corrections.ts';

export const bsl = defineServer({
  id: 'bsl',
  name: 'BSL Language Server',
  homepage: 'https://1c-syntax.github.io/bsl-language-server',
  files: { '.bsl': 'bsl', '.os': 'bsl' },
  install: [
    {
      from: 'path',
      bins: ['bsl-language-server'],
      hint: 'install BSL Language Server and put it on `PATH` as `bsl-language-server`',
    },
    {
      from: 'archive',
      version: '0.29.0',
      url: 'https://github.com/1c-syntax/bsl-language-server/releases/download/v{version}/{file}',
      assets: { any: { file: 'bsl-language-server-0.29.0-exec.jar', bin: 'bsl-language-server-0.29.0-exec.jar' } },
      runs: { by: 'java', args: ['-jar', '{program}'] },
    },
  ],
  args: [],
  requires: [{ program: 'java', hint: 'install Java 21 or newer' }],
  versionKey: 'bsl_ls_version',
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 300_000 },
  watchedFiles: [],
  ignoredDirectories: [],
  quirks: bslQuirks,
  symbolsVersion: 2,
});
