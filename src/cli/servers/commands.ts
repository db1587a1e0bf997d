import { InvalidArgumentError, Option } from 'commander';
import { addCommand, type CliCommand, type Host } from '../command.ts';
import type { PackFlags, UnpackFlags } from './bundle.ts';
import type { ListFlags } from './describe.ts';
import type { GcFlags, InstallFlags, PrefetchFlags } from './install.ts';

// Loaded when a command runs.
const loadBundle = () => import('./bundle.ts');
const loadDescribe = () => import('./describe.ts');
const loadInstall = () => import('./install.ts');

/** Adds `servers …`. */
export function addServerCommands(program: CliCommand, host: Host): void {
  const servers = program
    .command('servers')
    .description('Manage language servers, also for machines without a network');
  addLooking(servers, host);
  addFetching(servers, host);
  addCarrying(servers, host);
  addKeeping(servers, host);
  addRunning(servers, host);
}

function addLooking(servers: CliCommand, { environment }: Host): void {
  addCommand(servers, 'list', 'serena servers list', 'serena servers list --installed --json')
    .description('List all language servers and their state on this machine')
    .option('--installed', 'list only servers that can start without a download')
    .option('--json', 'print all details as JSON')
    .action(async (flags: ListFlags) => (await loadDescribe()).listServers(flags, environment));
  addCommand(servers, 'path', 'serena servers path gopls')
    .description("Print the path of a language server's program")
    .argument('<server>', 'id, name or language of the server')
    .option('--json', 'print JSON')
    .action(async (server: string, flags: { json?: boolean }) =>
      (await loadDescribe()).printServerPath(server, flags, environment),
    );
}

function addFetching(servers: CliCommand, { environment }: Host): void {
  const install = addCommand(
    servers,
    'install',
    'serena servers install python typescript',
    'serena servers install --project .',
  )
    .description('Install language servers now instead of at first use')
    .argument('[server...]', 'ids, names or languages, such as python or gopls');
  addChoice(install)
    .option('--json', 'print JSON')
    .action(async (words: string[], flags: InstallFlags) =>
      (await loadInstall()).installServers(words, flags, environment),
    );
  const prefetch = addCommand(
    servers,
    'prefetch',
    'serena servers prefetch python go',
    'serena servers prefetch --all --platform linux-arm64',
  )
    .description('Download the files of language servers without installing them')
    .argument('[server...]', 'ids, names or languages');
  addChoice(prefetch)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .action(async (words: string[], flags: PrefetchFlags) =>
      (await loadInstall()).prefetchServers(words, flags, environment),
    );
}

function addCarrying(servers: CliCommand, { environment }: Host): void {
  const collect = (id: string, others: readonly string[] | undefined) => [...(others ?? []), id];
  const pack = addCommand(
    servers,
    'pack',
    'serena servers pack -o servers.tar python typescript go',
    'serena servers pack -o servers.tar --all --platform linux-x64,windows-x64 --include-self --self-from release/',
  )
    .description('Pack language servers into a bundle for machines without a network')
    .argument('[server...]', 'ids, names or languages')
    .requiredOption('-o, --output <path>', 'file to write, compressed if it ends in .gz or .tgz; or directory');
  addChoice(pack)
    .addOption(platformOption())
    .addOption(
      new Option('--format <format>', 'one file, or a directory that also serves as store and mirror')
        .choices(['tar', 'dir'])
        .default('tar'),
    )
    .option('--include-self', 'add this program')
    .option(
      '--self-from <directory>',
      'add this program for other platforms, from a directory with the files of a release',
    )
    .addOption(
      new Option('--accept-license <server>', 'pack this server although its license forbids it; repeatable').argParser(
        collect,
      ),
    )
    .option('--json', 'print JSON')
    .action(async (words: string[], flags: PackFlags) => (await loadBundle()).packServers(words, flags, environment));
  addCommand(servers, 'unpack', 'serena servers unpack servers.tar --install')
    .description('Unpack language servers from a bundle, ignoring files that this version does not pin')
    .argument('<bundle>', 'file or directory written by `serena servers pack`')
    .option('--install', 'also install the servers')
    .option('--json', 'print JSON')
    .action(async (bundle: string, flags: UnpackFlags) =>
      (await loadBundle()).unpackServers(bundle, flags, environment),
    );
}

function addKeeping(servers: CliCommand, { environment }: Host): void {
  addCommand(servers, 'verify', 'serena servers verify --deep')
    .description('Verify installed servers against their pinned hashes')
    .option('--deep', 'read every file of every installation')
    .option('--json', 'print JSON')
    .action(async (flags: { deep?: boolean; json?: boolean }) =>
      (await loadInstall()).verifyServers(flags, environment),
    );
  addCommand(servers, 'uninstall', 'serena servers uninstall typescript')
    .description('Uninstall language servers; the next use installs them again')
    .argument('<server...>', 'ids, names or languages')
    .option('--json', 'print JSON')
    .action(async (words: string[], flags: { json?: boolean }) =>
      (await loadInstall()).uninstallServers(words, flags, environment),
    );
  addCommand(servers, 'gc', 'serena servers gc --dry-run', 'serena servers gc --keep-days 7 --blobs')
    .description('Remove unused installations of other versions, and incomplete ones')
    .addOption(
      new Option('--keep-days <days>', 'keep installations used within this many days')
        .argParser<GcFlags['keepDays']>(parseDays)
        .default(30),
    )
    .option('--blobs', 'also remove downloaded files kept for installing and packing')
    .option('--all', 'also remove installations of current versions')
    .option('--dry-run', 'print what would be removed without removing it')
    .option('--json', 'print JSON')
    .action(async (flags: GcFlags) => (await loadInstall()).collectServerGarbage(flags, environment));
}

function addRunning(servers: CliCommand, { environment }: Host): void {
  addCommand(servers, 'run', 'serena servers run go -- version', 'serena servers run python -- --stdio')
    .description("Run a language server's program with Serena's settings")
    .argument('<server>', 'id, name or language of the server')
    .argument('[arguments...]', 'arguments of the server, after --; by default it serves on stdin and stdout')
    .action(async (server: string, args: string[]) => (await import('./run.ts')).runServer(server, args, environment));
}

function addChoice(command: CliCommand): CliCommand {
  return command
    .option('--all', 'all servers that can be downloaded')
    .option('--project <name-or-path>', 'servers that the files of a project need');
}

function platformOption(): Option {
  return new Option('--platform <names>', 'comma-separated target platforms, or all (default: this one)');
}

function parseDays(text: string): number {
  const days = Number(text);
  if (text.trim() === '' || !Number.isFinite(days) || days < 0)
    throw new InvalidArgumentError('it must be a number of days.');
  return days;
}
