import { Argument, type Command } from 'commander';
import { addExamples } from '../host.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Adds `completions`, which must be the last command so that the program has all others when it runs. */
export function addCompletionsCommand(program: Command): void {
  const command = program
    .command('completions')
    .description('Print the completions of this command line for a shell')
    .addArgument(new Argument('<shell>', 'shell').choices(shells))
    .action(async (shell: (typeof shells)[number]) => {
      const { printCompletions } = await import('./print-completions.ts');
      printCompletions(shell, program);
    });
  addExamples(
    command,
    'eval "$(serena completions bash)"                                   # in ~/.bashrc',
    'serena completions zsh > ~/.zfunc/_serena                           # in a directory of fpath',
    'serena completions fish > ~/.config/fish/completions/serena.fish',
    'serena completions powershell | Out-String | Invoke-Expression      # in $PROFILE',
  );
}
