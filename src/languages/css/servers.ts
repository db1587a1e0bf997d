import { defineServer } from '../../servers/spec.ts';
import { referencesOfAll } from '../corrections.ts';

export const scss = defineServer({
  id: 'scss',
  name: 'some-sass-language-server',
  homepage: 'https://github.com/wkillerud/some-sass',
  files: { '.css': 'css', '.scss': 'scss', '.sass': 'sass' },
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [
    {
      from: 'npm',
      packages: { 'some-sass-language-server': '2.3.8' },
      entry: 'node_modules/some-sass-language-server/bin/some-sass-language-server',
    },
  ],
  versionKey: 'some_sass_version',
  args: ['--stdio'],
  ready: { when: 'initialized' },
  watchedFiles: [],
  // The server knows open files, and searches for others below its working directory, which is not the project.
  projectMarkers: [],
  mayAnswerStale: true,
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage'],
  quirks: { references: referencesOfAll },
  symbolsVersion: 1,
});
