import { Argument, Option } from 'commander';
import { homeDirectory, homePaths } from '../../base/home.ts';
import { lockTimeoutMs, withLock } from '../../base/lock.ts';
import { addCommand, type CliCommand, type Host } from '../command.ts';
import type { Environment } from '../environment.ts';
import { usageError } from '../report.ts';
import { type Client, clients } from './clients.ts';

// Loaded when a command runs.
const loadSetup = () => import('./setup.ts');

export function addSetupCommands(program: CliCommand, host: Host): void {
  const { environment } = host;
  addCommand(program, 'init', 'serena init')
    .description('Create your configuration if it does not exist, and show the next steps')
    .addOption(
      new Option('-b, --language-backend <backend>', 'backend for symbol queries').choices(['LSP', 'JetBrains']),
    )
    .action(async ({ languageBackend }: { languageBackend?: string }) =>
      (await loadSetup()).initialize(languageBackend, environment),
    );
  addSetup(program, host);
}

function addSetup(program: CliCommand, { environment }: Host): void {
  const ids = clients.map(({ id }) => id);
  addCommand(
    program,
    'setup',
    'serena setup',
    'serena setup claude-code',
    'serena setup cursor --print',
    'serena setup claude-code --hooks',
    'serena setup claude-code --skill',
    'serena setup claude-code --lsp',
    'serena setup claude-code --agents',
    'serena setup claude-code --subagent',
    'serena setup --remove claude-code',
  )
    .description('Configure a client to start this program, or list the clients on this machine')
    .addArgument(new Argument('[client]', 'client to configure; its other settings are kept').choices(ids))
    .option('--print', 'print what would be written, without changing anything')
    .addOption(
      new Option('--hooks', 'add hooks that tell an agent what its edits break instead').conflicts([
        'skill',
        'lsp',
        'agents',
        'subagent',
      ]),
    )
    .option('--remind', 'with --hooks, also deny calls after many searches and reads')
    .addOption(
      new Option('--skill', 'write a skill that explains the commands for agents instead').conflicts([
        'lsp',
        'agents',
        'subagent',
      ]),
    )
    .addOption(
      new Option('--lsp', "make the client's own LSP support start `serena lsp` instead").conflicts([
        'agents',
        'subagent',
      ]),
    )
    .addOption(
      new Option('--agents', "add a section to the project's AGENTS.md, or the client's file, instead").conflicts(
        'subagent',
      ),
    )
    .option('--subagent', 'write the definition of a sub-agent that explores code instead')
    .addOption(
      new Option('--remove', 'remove what setup wrote for the client; with --agents, the section').conflicts([
        ...['print', 'hooks', 'skill', 'lsp', 'subagent'],
      ]),
    )
    .action(async (id: string | undefined, flags: SetupFlags) => setUp(id, flags, environment));
}

interface SetupFlags {
  readonly print?: boolean;
  readonly hooks?: boolean;
  readonly remind?: boolean;
  readonly skill?: boolean;
  readonly lsp?: boolean;
  readonly agents?: boolean;
  readonly subagent?: boolean;
  readonly remove?: boolean;
}

async function setUp(id: string | undefined, flags: SetupFlags, environment: Environment): Promise<void> {
  const { print: isPrint = false } = flags;
  const client = clients.find((candidate) => candidate.id === id);
  if (client === undefined) {
    if (Object.keys(flags).length > 0) throw usageError('a flag needs the name of a client', ['add the name']);
    return await (await loadSetup()).listClients(environment);
  }
  if (isPrint) return await change(client, flags, environment);
  // One at a time: of two processes that change the same file, each would undo the change of the other.
  const { env } = environment;
  const path = homePaths(homeDirectory(env)).configLock;
  return await withLock(path, { timeoutMs: lockTimeoutMs(env) }, () => change(client, flags, environment));
}

async function change(client: Client, flags: SetupFlags, environment: Environment): Promise<void> {
  const { print: isPrint = false, hooks, remind, skill, lsp, agents, subagent, remove } = flags;
  if (remind && !hooks) throw usageError('`--remind` needs `--hooks`', ['add `--hooks`']);
  const { removeClient, setUpClient } = await import('./setup.ts');
  if (agents) {
    const { setUpAgentsSection } = await import('./agents-section.ts');
    setUpAgentsSection(client, environment, { isPrint, isRemove: remove === true });
  } else if (remove) await removeClient(client, environment);
  else if (hooks) await (await import('./hooks.ts')).setUpHooks(client, environment, { isPrint, reminds: remind });
  else if (lsp) await (await import('./lsp.ts')).setUpLsp(client, environment, { isPrint });
  else if (subagent) await (await import('./subagent.ts')).setUpSubagent(client, environment, { isPrint });
  else if (skill) await (await import('./skill.ts')).setUpSkill(client, environment, { isPrint });
  else await setUpClient(client, environment, { isPrint });
}
