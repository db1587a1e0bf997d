import { defineServer, onPath } from '../servers/spec.ts';

export const rego = defineServer({
  id: 'rego',
  name: 'Regal',
  homepage: 'https://github.com/open-policy-agent/regal',
  files: { '.rego': 'rego' },
  install: [onPath('regal', 'install Regal and put it on `PATH`')],
  args: ['language-server'],
  ignoredDirectories: ['.regal', '.opa'],
});
