import { Argument, type Command, Option } from 'commander';
import { addExamples, type Host } from '../host.ts';
import { clients } from './clients/clients.ts';

/** Adds the commands that set this program up. */
export function addSetupCommands(program: Command, { environment, exitWith }: Host): void {
  const init = program
    .command('init')
    .description('Create your configuration if it does not exist, and show the next steps')
    .addOption(
      new Option('-b, --language-backend <backend>', 'backend for symbol queries').choices(['LSP', 'JetBrains']),
    )
    .action(async ({ languageBackend }: { languageBackend?: string }) => {
      const { initialize } = await import('./init.ts');
      await initialize(languageBackend, environment);
    });
  addExamples(init, 'serena init');
  const ids = clients.map(({ id }) => id);
  const setup = program
    .command('setup')
    .description('Configure a client to start this program, keeping its other settings')
    .addArgument(new Argument('<client>', 'client to configure').choices(ids))
    .option('--print', 'print the configuration or skill without changing anything')
    .option('--skill', 'write a skill that explains the commands for agents instead (only claude-code)')
    .action(async (client: string, { print, skill }: { print?: boolean; skill?: boolean }) => {
      if (skill) {
        const { setUpSkill } = await import('./skill.ts');
        return setUpSkill(client, environment, { isPrint: print === true });
      }
      const { setUpClient } = await import('./setup.ts');
      exitWith(await setUpClient(client, environment, { isPrint: print === true }));
    });
  addExamples(setup, 'serena setup claude-code', 'serena setup cursor --print', 'serena setup claude-code --skill');
}
