import { Argument, type Command, Option } from 'commander';
import { addExamples, type Host } from '../host.ts';
import { clients } from './clients/clients.ts';

/** Adds the commands that set this program up and look whether all is well. */
export function addSetupCommands(program: Command, { environment, exitWith }: Host): void {
  const init = program
    .command('init')
    .description('Make your configuration, or keep the one that is there, and say what to do next')
    .addOption(
      new Option('-b, --language-backend <backend>', 'what answers questions about symbols').choices([
        'LSP',
        'JetBrains',
      ]),
    )
    .action(async ({ languageBackend }: { languageBackend?: string }) => {
      const { initialize } = await import('./init.ts');
      await initialize(languageBackend, environment);
    });
  addExamples(init, 'serena init');
  const ids = clients.map(({ id }) => id);
  const setup = program
    .command('setup')
    .description('Make a client start this program, keeping whatever else it is configured to do')
    .addArgument(new Argument('<client>', 'the client').choices(ids))
    .option('--print', 'change nothing; print the configuration instead')
    .action(async (client: string, { print }: { print?: boolean }) => {
      const { setUpClient } = await import('./setup.ts');
      exitWith(await setUpClient(client, environment, { isPrint: print === true }));
    });
  addExamples(setup, 'serena setup claude-code', 'serena setup cursor --print');
  const doctor = program
    .command('doctor')
    .description('Show what is configured, installed and missing, and how to repair what is broken')
    .option('--project <name-or-path>', 'project to look at (default: the one of the working directory)')
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; json?: boolean }) => {
      const { examine } = await import('../doctor/doctor.ts');
      exitWith(await examine(options, environment));
    });
  addExamples(doctor, 'serena doctor', 'serena doctor --project ~/shop --json');
  const selfCheck = program
    .command('self-check')
    .description('Check that this program is whole and works, and tell what it was built from')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { checkSelf } = await import('../self-check/self-check.ts');
      exitWith(await checkSelf(options, environment));
    });
  addExamples(selfCheck, 'serena self-check');
}
