import { Option } from 'commander';
import { logLevels } from '../../base/log.ts';
import { addCommand, type CliCommand, type Host, parsePositiveSeconds } from '../command.ts';
import type { CreateFlags, IndexFlags } from './index.ts';

// Loaded when a command runs.
const loadIndex = () => import('./index.ts');
const loadProjects = () => import('./projects.ts');

const projectHelp = 'name or directory of the project (default: the working directory)';

/** Adds `project …`. */
export function addProjectCommands(program: CliCommand, host: Host): void {
  const project = program.command('project').description('Manage projects: directories that agents work in');
  addMaking(project, host);
  addIndexing(project, host);
  addLooking(project, host);
}

function addMaking(project: CliCommand, { environment }: Host): void {
  addCommand(
    project,
    'create',
    'serena project create',
    'serena project create ~/shop --name shop --language python --index',
  )
    .description('Create a project in a directory and add it to the known projects')
    .argument('[directory]', 'directory of the project (default: the working directory)')
    .option('--name <name>', 'name to activate the project by (default: name of the directory)')
    .addOption(languageOption())
    .option('--index', 'index the project afterwards')
    .addOption(timeoutOption())
    .addOption(logLevelOption())
    .action(async (path: string | undefined, options: CreateFlags) =>
      (await loadIndex()).createProject(path, options, environment),
    );
  addCommand(project, 'list', 'serena project list')
    .description('List the known projects')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await loadProjects()).listProjects(options, environment));
  addCommand(project, 'remove', 'serena project remove shop')
    .description('Remove a project from the known projects, keeping its files')
    .argument('<project>', 'name or directory of the project')
    .action(async (nameOrPath: string) => (await loadProjects()).removeProject(nameOrPath, environment));
}

function addIndexing(project: CliCommand, { environment }: Host): void {
  addCommand(project, 'index', 'serena project index', 'serena project index ~/shop --timeout 300')
    .description('Cache the symbols of all source files, so that first queries are fast')
    .argument('[project]', projectHelp)
    .option('--name <name>', 'project name, if the directory is not a project yet')
    .addOption(languageOption())
    .addOption(timeoutOption())
    .addOption(logLevelOption())
    .option('--json', 'print JSON')
    .action(async (given: string | undefined, options: CreateFlags) =>
      (await loadIndex()).indexCommand(given, options, environment),
    );
  addCommand(project, 'index-file', 'serena project index-file src/app.py --verbose')
    .description('Cache the symbols of one file')
    .argument('<file>', 'path relative to the working directory or to the project')
    .argument('[project]', projectHelp)
    .option('-v, --verbose', 'list the symbols')
    .option('--json', 'print JSON')
    .action(async (path: string, given: string | undefined, flags: { verbose?: boolean; json?: boolean }) =>
      (await loadIndex()).indexFileCommand(path, given, { flags, environment }),
    );
}

function addLooking(project: CliCommand, { environment }: Host): void {
  addCommand(project, 'is_ignored_path', 'serena project is_ignored_path build/app.js')
    .description('Report whether the project ignores a path')
    .argument('<path>', 'path relative to the project, or absolute')
    .argument('[project]', projectHelp)
    .option('--json', 'print JSON')
    .action(async (path: string, given: string | undefined, flags: { json?: boolean }) =>
      (await loadProjects()).reportIgnored(path, given, { flags, environment }),
    );
  addCommand(project, 'health-check', 'serena project health-check')
    .description('Send real requests about the project to its language servers and report what works')
    .argument('[project]', projectHelp)
    .addOption(logLevelOption())
    .option('--json', 'print JSON')
    .action(async (given: string | undefined, flags: { json?: boolean; logLevel?: string }) =>
      (await loadProjects()).healthCheck(given, flags, environment),
    );
}

function languageOption(): Option {
  const collect = (id: string, others: readonly string[] | undefined) => [...(others ?? []), id];
  return new Option(
    '--ls, --language <id>',
    'language server to use; repeatable (default: all that cover files)',
  ).argParser(collect);
}

function timeoutOption(): Option {
  return new Option('--timeout <seconds>', 'skip a file if its language server is silent for this long')
    .argParser<IndexFlags['timeout']>(parsePositiveSeconds)
    .default(120);
}

function logLevelOption(): Option {
  return new Option('--log-level <level>', 'minimum log level').choices(Object.keys(logLevels)).default('WARNING');
}
