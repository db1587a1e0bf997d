import { defineServer } from '../../servers/spec.ts';
import { htmlQuirks } from './nesting.ts';

export const html = defineServer({
  id: 'html',
  name: 'vscode-html-language-server',
  homepage: 'https://github.com/hrsh7th/vscode-langservers-extracted',
  files: { '.html': 'html', '.htm': 'html' },
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [
    {
      from: 'npm',
      packages: { 'vscode-langservers-extracted': '4.10.0' },
      entry: 'node_modules/vscode-langservers-extracted/bin/vscode-html-language-server',
    },
  ],
  versionKey: 'vscode_langservers_version',
  args: ['--stdio'],
  initializationOptions: { embeddedLanguages: { css: true, javascript: true } },
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage'],
  quirks: htmlQuirks,
  symbolsVersion: 1,
});
