import { type Command, InvalidArgumentError, Option } from 'commander';
import { addExamples, type Host } from '../host.ts';
import type { GcFlags } from './gc.ts';
import type { InstallFlags } from './install.ts';
import type { ListFlags } from './list.ts';
import type { PackFlags } from './pack.ts';
import type { PrefetchFlags } from './prefetch.ts';
import type { UnpackFlags } from './unpack.ts';

/** Adds `servers …`. */
export function addServerCommands(program: Command, host: Host): void {
  const servers = program
    .command('servers')
    .description('Language servers on this machine, and for machines without network');
  addLooking(servers, host);
  addFetching(servers, host);
  addCarrying(servers, host);
  addKeeping(servers, host);
  addRunning(servers, host);
}

function addLooking(servers: Command, { environment }: Host): void {
  const list = servers
    .command('list')
    .description('List every language server there is, and how it is on this machine')
    .option('--installed', 'only those that can be used without fetching anything')
    .option('--json', 'print all that is known, as JSON')
    .action(async (flags: ListFlags) => {
      const { listServers } = await import('./list.ts');
      await listServers(flags, environment);
    });
  addExamples(list, 'serena servers list', 'serena servers list --installed --json');
  const path = servers
    .command('path')
    .description("Print where a language server's program is")
    .argument('<server>', 'its id, name or language')
    .option('--json', 'print JSON')
    .action(async (server: string, flags: { json?: boolean }) => {
      const { printServerPath } = await import('./path.ts');
      await printServerPath(server, flags, environment);
    });
  addExamples(path, 'serena servers path gopls');
}

function addFetching(servers: Command, { environment, exitWith }: Host): void {
  const install = servers
    .command('install')
    .description('Fetch and install language servers now instead of at first use')
    .argument('[server...]', 'ids, names or languages, such as python or gopls');
  addChoice(install)
    .option('--json', 'print JSON')
    .action(async (words: string[], flags: InstallFlags) => {
      const { installServers } = await import('./install.ts');
      exitWith(await installServers(words, flags, environment));
    });
  addExamples(install, 'serena servers install python typescript', 'serena servers install --project .');
  const prefetch = servers
    .command('prefetch')
    .description('Fetch what language servers are made of, for later, without installing it')
    .argument('[server...]', 'ids, names or languages');
  addChoice(prefetch)
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .action(async (words: string[], flags: PrefetchFlags) => {
      const { prefetchServers } = await import('./prefetch.ts');
      exitWith(await prefetchServers(words, flags, environment));
    });
  addExamples(prefetch, 'serena servers prefetch python go', 'serena servers prefetch --all --platform linux-arm64');
}

function addCarrying(servers: Command, { environment, exitWith }: Host): void {
  const collect = (id: string, others: readonly string[] | undefined) => [...(others ?? []), id];
  const pack = servers
    .command('pack')
    .description('Pack language servers into one file for machines without network')
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
    .option('--self-from <directory>', 'add this program for other platforms, from the files of a release')
    .addOption(
      new Option('--accept-license <server>', 'pack it although its license forbids; repeatable').argParser(collect),
    )
    .option('--json', 'print JSON')
    .action(async (words: string[], flags: PackFlags) => {
      const { packServers } = await import('./pack.ts');
      exitWith(await packServers(words, flags, environment));
    });
  addExamples(
    pack,
    'serena servers pack -o servers.tar python typescript go',
    'serena servers pack -o servers.tar --all --platform linux-x64,windows-x64 --include-self --self-from release/',
  );
  const unpack = servers
    .command('unpack')
    .description('Take language servers from a bundle; nothing is taken that this version does not pin')
    .argument('<bundle>', 'file or directory that `serena servers pack` has made')
    .option('--install', 'install them as well')
    .option('--json', 'print JSON')
    .action(async (bundle: string, flags: UnpackFlags) => {
      const { unpackServers } = await import('./unpack.ts');
      exitWith(await unpackServers(bundle, flags, environment));
    });
  addExamples(unpack, 'serena servers unpack servers.tar --install');
}

function addKeeping(servers: Command, { environment, exitWith }: Host): void {
  const verify = servers
    .command('verify')
    .description('Look whether what was fetched and installed is still what it was')
    .option('--deep', 'read every file of every installation')
    .option('--json', 'print JSON')
    .action(async (flags: { deep?: boolean; json?: boolean }) => {
      const { verifyServers } = await import('./verify.ts');
      exitWith(await verifyServers(flags, environment));
    });
  addExamples(verify, 'serena servers verify --deep');
  const uninstall = servers
    .command('uninstall')
    .description('Remove language servers that were installed here; the next use installs them anew')
    .argument('<server...>', 'ids, names or languages')
    .option('--json', 'print JSON')
    .action(async (words: string[], flags: { json?: boolean }) => {
      const { uninstallServers } = await import('./uninstall.ts');
      exitWith(await uninstallServers(words, flags, environment));
    });
  addExamples(uninstall, 'serena servers uninstall typescript');
  const gc = servers
    .command('gc')
    .description('Remove installations of other versions that were not used lately, and what is left half done')
    .addOption(
      new Option('--keep-days <days>', 'what was used within so many days stays')
        .argParser<GcFlags['keepDays']>(parseDays)
        .default(30),
    )
    .option('--blobs', 'also remove everything that is kept for installing and packing')
    .option('--all', 'also remove installations of the versions that are used now')
    .option('--dry-run', 'only tell what would be removed')
    .option('--json', 'print JSON')
    .action(async (flags: GcFlags) => {
      const { collectServerGarbage } = await import('./gc.ts');
      await collectServerGarbage(flags, environment);
    });
  addExamples(gc, 'serena servers gc --dry-run', 'serena servers gc --keep-days 7 --blobs');
}

function addRunning(servers: Command, { environment, exitWith }: Host): void {
  const run = servers
    .command('run')
    .description("Run a language server's program as this one runs it")
    .argument('<server>', 'its id, name or language')
    .argument('[arguments...]', 'its arguments, after --; without any, those with which it serves on stdin and stdout')
    .action(async (server: string, args: string[]) => {
      const { runServer } = await import('./run.ts');
      exitWith(await runServer(server, args, environment));
    });
  addExamples(run, 'serena servers run go -- version', 'serena servers run python -- --stdio');
}

function addChoice(command: Command): Command {
  return command
    .option('--all', 'all that can be fetched')
    .option('--project <name-or-path>', 'those that the files of a project need');
}

function platformOption(): Option {
  return new Option('--platform <names>', 'kinds of machine, separated by commas, or all (default: this one)');
}

function parseDays(text: string): number {
  const days = Number(text);
  if (text.trim() === '' || !Number.isFinite(days) || days < 0)
    throw new InvalidArgumentError('It must be a number of days.');
  return days;
}
