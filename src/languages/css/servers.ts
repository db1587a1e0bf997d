import { defineServer, npmPackage } from '../../servers/spec.ts';
import { referencesOfAll } from '../corrections.ts';

export const scss = defineServer({
  id: 'scss',
  name: 'some-sass-language-server',
  homepage: 'https://github.com/wkillerud/some-sass',
  files: { '.css': 'css', '.scss': 'scss', '.sass': 'sass' },
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [npmPackage('some-sass-language-server', '2.3.8', 'bin/some-sass-language-server')],
  versionKey: 'some_sass_version',
  args: ['--stdio'],
  // The server knows open files, and searches for others below its working directory, which is not the project.
  projectMarkers: [],
  mayAnswerStale: true,
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage'],
  quirks: { references: referencesOfAll },
});
