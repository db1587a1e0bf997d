import { defineServer } from '../servers/spec.ts';

export const rego = defineServer({
  id: 'rego',
  name: 'Regal',
  homepage: 'https://github.com/open-policy-agent/regal',
  files: { '.rego': 'rego' },
  install: [{ from: 'path', bins: ['regal'], hint: 'install Regal and put it on `PATH`' }],
  args: ['language-server'],
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: ['.regal', '.opa'],
  symbolsVersion: 1,
});
