import { Argument, type Command, Option } from 'commander';
import { homeDirectory, homePaths } from '../../base/home.ts';
import { lockTimeoutMs, withLock } from '../../base/lock.ts';
import { addCommand, type Host } from '../command.ts';
import type { Environment } from '../environment.ts';
import { exitCodes, usageError } from '../report.ts';
import { type Client, clients } from './clients.ts';

/** Adds the commands that set this program up. */
export function addSetupCommands(program: Command, { environment, exitWith }: Host): void {
  addCommand(program, 'init', 'serena init')
    .description('Create your configuration if it does not exist, and show the next steps')
    .addOption(
      new Option('-b, --language-backend <backend>', 'backend for symbol queries').choices(['LSP', 'JetBrains']),
    )
    .action(async ({ languageBackend }: { languageBackend?: string }) =>
      (await import('./setup.ts')).initialize(languageBackend, environment),
    );
  const ids = clients.map(({ id }) => id);
  addCommand(
    program,
    'setup',
    'serena setup',
    'serena setup claude-code',
    'serena setup cursor --print',
    'serena setup claude-code --hooks',
    'serena setup claude-code --skill',
    'serena setup --remove claude-code',
  )
    .description('Configure a client to start this program, or list the clients on this machine')
    .addArgument(new Argument('[client]', 'client to configure; its other settings are kept').choices(ids))
    .option('--print', 'print the configuration, hooks or skill without changing anything')
    .addOption(new Option('--hooks', 'add hooks that remind an agent of the tools instead').conflicts('skill'))
    .option('--skill', 'write a skill that explains the commands for agents instead')
    .addOption(
      new Option('--remove', 'remove what setup wrote for the client: configuration, hooks and skill').conflicts([
        ...['print', 'hooks', 'skill'],
      ]),
    )
    .action(async (id: string | undefined, flags: SetupFlags) => exitWith(await setUp(id, flags, environment)));
}

interface SetupFlags {
  readonly print?: boolean;
  readonly hooks?: boolean;
  readonly skill?: boolean;
  readonly remove?: boolean;
}

async function setUp(id: string | undefined, flags: SetupFlags, environment: Environment): Promise<number> {
  const { print: isPrint = false } = flags;
  const client = clients.find((candidate) => candidate.id === id);
  if (client === undefined) {
    if (Object.keys(flags).length > 0) throw usageError('a flag needs the name of a client', ['add the name']);
    await (await import('./setup.ts')).listClients(environment);
    return exitCodes.ok;
  }
  if (isPrint) return await change(client, flags, environment);
  // One at a time: two that change the same file would each undo what the other one did.
  const { env } = environment;
  const path = homePaths(homeDirectory(env)).configLock;
  return await withLock(path, { timeoutMs: lockTimeoutMs(env) }, () => change(client, flags, environment));
}

async function change(client: Client, flags: SetupFlags, environment: Environment): Promise<number> {
  const { print: isPrint = false, hooks, skill, remove } = flags;
  if (remove) await (await import('./remove.ts')).removeClient(client, environment);
  else if (hooks) await (await import('./hooks.ts')).setUpHooks(client, environment, { isPrint });
  else if (skill) await (await import('./skill.ts')).setUpSkill(client, environment, { isPrint });
  else return (await import('./setup.ts')).setUpClient(client, environment, { isPrint });
  return exitCodes.ok;
}
