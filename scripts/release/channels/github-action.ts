import { stringify } from 'yaml';
import type { Channel } from './channel.ts';

/**
 * An action that installs the program in a workflow, with the published installers, which have its hashes, and checks what
 * a change breaks if it is given a base.
 */
export const githubAction: Channel = ({ title, text, author, version, installers }) => [
  { path: 'action.yml', text: stringify(action({ title, text, author, version }), { lineWidth: 0 }) },
  { path: 'install.sh', text: installers.sh, isProgram: true },
  { path: 'install.ps1', text: installers.ps1 },
];

const hasBase = "inputs.verify-base != ''";
const base = { SERENA_VERIFY_BASE: `\${{ inputs.verify-base }}` };
/** Names of files come from the change: none of them can be the line that ends the list. */
const affected = `end="end-$RANDOM$RANDOM$RANDOM$RANDOM"
{
  echo "tests<<$end"
  serena affected --tests --base "$SERENA_VERIFY_BASE" || case $? in 1 | 3) ;; *) exit 1 ;; esac
  echo "$end"
} >> "$GITHUB_OUTPUT"
`;
/** Code 3 means that the answer is incomplete: the log names what is missing. */
const verify = 'serena verify --base "$SERENA_VERIFY_BASE" --format github || [ $? -eq 3 ]\n';

function action({ title, text, author, version }: Record<'title' | 'text' | 'author' | 'version', string>): object {
  // Inputs are passed as variables: in the command they could be more than a value.
  const env = { SERENA_VERSION: `\${{ inputs.version }}`, SERENA_INSTALL_DIR: `\${{ runner.temp }}/serena-bin` };
  return {
    name: `Set up ${title}`,
    description: text,
    author,
    branding: { icon: 'search', color: 'blue' },
    inputs: {
      version: { description: 'Version to install', required: false, default: version },
      'verify-base': {
        description:
          'Commit to compare with, such as origin/main (check out with `fetch-depth: 0`): annotates new problems and uses ' +
          'left open, fails if there are new errors, and lists the tests to run',
        required: false,
        default: '',
      },
    },
    outputs: {
      tests: {
        description: 'Files with tests that the change reaches, one on each line; needs `verify-base`',
        value: `\${{ steps.affected.outputs.tests }}`,
      },
    },
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
        { id: 'affected', if: hasBase, shell: 'bash', env: base, run: affected },
        { if: hasBase, shell: 'bash', env: base, run: verify },
      ],
    },
  };
}
