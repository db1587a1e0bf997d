import { defineServer } from '../servers/spec.ts';
import { robotQuirks } from './robotframework-corrections.ts';

export const robotframework = defineServer({
  id: 'robotframework',
  name: 'Robot Framework Language Server',
  homepage: 'https://github.com/robocorp/robotframework-lsp',
  files: { '.robot': 'robotframework', '.resource': 'robotframework' },
  install: [
    {
      from: 'pypi',
      packages: { 'robotframework-lsp': '1.13.0', robotframework: '7.5' },
      run: {
        python: 'robotframework_ls.__main__:main',
        atLeast: '3.10',
        set: { 'robotframework_ls.server_api.server__main__:__file__': '{api}' },
      },
    },
  ],
  versionKey: 'robotframework_lsp_version',
  args: [],
  env: { ROBOTFRAMEWORK_LS_USER_HOME: '{cache}', ROBOT_PACKAGES: '{directory}/site' },
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: ['results', 'output', 'log', 'venv', '.venv', 'node_modules'],
  // Variables are named with the sign and the braces around the name.
  nameRules: [{ from: /^[$@&%]\{(.*)\}$/, to: '$1' }],
  quirks: robotQuirks,
  symbolsVersion: 1,
});
