import { defineServer, npmPackage } from '../servers/spec.ts';

export const ansible = defineServer({
  id: 'ansible',
  name: 'ansible-language-server',
  homepage: 'https://github.com/ansible/vscode-ansible',
  files: { '.yaml': 'ansible', '.yml': 'ansible' },
  needsExplicitChoice: true,
  isMarkupOrData: true,
  install: [npmPackage('@ansible/ansible-language-server', '26.6.0', 'dist/cli.cjs')],
  versionKey: 'ansible_language_server_version',
  requires: [{ program: 'ansible', hint: 'install Ansible, so that `ansible` is on `PATH`' }],
  args: ['--stdio'],
  settings: {
    ansible: { validation: { enabled: true, lint: { enabled: false } }, executionEnvironment: { enabled: false } },
  },
  ignoredDirectories: ['node_modules'],
});
