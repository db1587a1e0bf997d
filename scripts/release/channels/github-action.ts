import { stringify } from 'yaml';
import type { Channel } from './channel.ts';

/** An action that installs the program in a workflow, with the published installers, which have its hashes. */
export const githubAction: Channel = ({ title, text, author, version, installers }) => [
  { path: 'action.yml', text: stringify(action({ title, text, author, version }), { lineWidth: 0 }) },
  { path: 'install.sh', text: installers.sh, isProgram: true },
  { path: 'install.ps1', text: installers.ps1 },
];

function action({ title, text, author, version }: Record<'title' | 'text' | 'author' | 'version', string>): object {
  // Inputs are passed as variables: in the command they could be more than a value.
  const env = { SERENA_VERSION: `\${{ inputs.version }}`, SERENA_INSTALL_DIR: `\${{ runner.temp }}/serena-bin` };
  return {
    name: `Set up ${title}`,
    description: text,
    author,
    branding: { icon: 'search', color: 'blue' },
    inputs: { version: { description: 'Version to install', required: false, default: version } },
    runs: {
      using: 'composite',
      steps: [
        {
          if: "runner.os != 'Windows'",
          shell: 'sh',
          env,
          run: 'sh "$GITHUB_ACTION_PATH/install.sh"\necho "$SERENA_INSTALL_DIR" >> "$GITHUB_PATH"\n',
        },
        {
          if: "runner.os == 'Windows'",
          shell: 'pwsh',
          env,
          run: '& "$env:GITHUB_ACTION_PATH\\install.ps1"\nAdd-Content -Path $env:GITHUB_PATH -Value $env:SERENA_INSTALL_DIR\n',
        },
      ],
    },
  };
}
