import { Argument, type Command, Option } from 'commander';
import { addExamples, type Host } from '../host.ts';
import { clients } from './clients/clients.ts';

/** Adds the commands that set up and check this program. */
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
    .option('--print', 'print the configuration without changing anything')
    .action(async (client: string, { print }: { print?: boolean }) => {
      const { setUpClient } = await import('./setup.ts');
      exitWith(await setUpClient(client, environment, { isPrint: print === true }));
    });
  addExamples(setup, 'serena setup claude-code', 'serena setup cursor --print');
  const doctor = program
    .command('doctor')
    .description('Show what is configured, installed and missing, and how to fix problems')
    .option('--project <name-or-path>', 'project to check (default: the one that contains the working directory)')
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; json?: boolean }) => {
      const { examine } = await import('../doctor/doctor.ts');
      exitWith(await examine(options, environment));
    });
  addExamples(doctor, 'serena doctor', 'serena doctor --project ~/shop --json');
  const selfCheck = program
    .command('self-check')
    .description('Check that this program is intact and works, and show what it was built from')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { checkSelf } = await import('../self-check/self-check.ts');
      exitWith(await checkSelf(options, environment));
    });
  addExamples(selfCheck, 'serena self-check');
}
