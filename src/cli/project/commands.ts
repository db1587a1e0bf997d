import { type Command, Option } from 'commander';
import { logLevels } from '../../base/log.ts';
import { addExamples, type Host, parsePositiveSeconds } from '../command.ts';
import type { CreateFlags, IndexFlags } from './index.ts';

const projectHelp = 'name or directory of the project (default: the working directory)';

/** Adds `project …`. */
export function addProjectCommands(program: Command, host: Host): void {
  const project = program.command('project').description('Manage projects: directories that agents work in');
  addMaking(project, host);
  addIndexing(project, host);
  addLooking(project, host);
}

function addMaking(project: Command, { environment, exitWith }: Host): void {
  const create = project
    .command('create')
    .description('Create a project in a directory and add it to the known projects')
    .argument('[directory]', 'directory of the project (default: the working directory)')
    .option('--name <name>', 'name to activate the project by (default: name of the directory)')
    .addOption(languageOption())
    .option('--index', 'index the project afterwards')
    .addOption(timeoutOption())
    .addOption(logLevelOption())
    .action(async (path: string | undefined, options: CreateFlags) => {
      const { createProject } = await import('./index.ts');
      exitWith(await createProject(path, options, environment));
    });
  addExamples(create, 'serena project create', 'serena project create ~/shop --name shop --language python --index');
  const list = project
    .command('list')
    .description('List the known projects')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { listProjects } = await import('./projects.ts');
      await listProjects(options, environment);
    });
  addExamples(list, 'serena project list');
  const remove = project
    .command('remove')
    .description('Remove a project from the known projects, keeping its files')
    .argument('<project>', 'name or directory of the project')
    .action(async (nameOrPath: string) => {
      const { removeProject } = await import('./projects.ts');
      await removeProject(nameOrPath, environment);
    });
  addExamples(remove, 'serena project remove shop');
}

function addIndexing(project: Command, { environment, exitWith }: Host): void {
  const index = project
    .command('index')
    .description('Cache the symbols of all source files, so that first queries are fast')
    .argument('[project]', projectHelp)
    .option('--name <name>', 'project name, if the directory is not a project yet')
    .addOption(languageOption())
    .addOption(timeoutOption())
    .addOption(logLevelOption())
    .option('--json', 'print JSON')
    .action(async (given: string | undefined, options: CreateFlags) => {
      const { indexCommand } = await import('./index.ts');
      exitWith(await indexCommand(given, options, environment));
    });
  addExamples(index, 'serena project index', 'serena project index ~/shop --timeout 300');
  const file = project
    .command('index-file')
    .description('Cache the symbols of one file')
    .argument('<file>', 'path relative to the working directory or to the project')
    .argument('[project]', projectHelp)
    .option('-v, --verbose', 'list the symbols')
    .option('--json', 'print JSON')
    .action(async (path: string, given: string | undefined, flags: { verbose?: boolean; json?: boolean }) => {
      const { indexFileCommand } = await import('./index.ts');
      await indexFileCommand(path, given, { flags, environment });
    });
  addExamples(file, 'serena project index-file src/app.py --verbose');
}

function addLooking(project: Command, { environment, exitWith }: Host): void {
  const ignored = project
    .command('is_ignored_path')
    .description('Report whether the project ignores a path')
    .argument('<path>', 'path relative to the project, or absolute')
    .argument('[project]', projectHelp)
    .option('--json', 'print JSON')
    .action(async (path: string, given: string | undefined, flags: { json?: boolean }) => {
      const { reportIgnored } = await import('./checks.ts');
      await reportIgnored(path, given, { flags, environment });
    });
  addExamples(ignored, 'serena project is_ignored_path build/app.js');
  const health = project
    .command('health-check')
    .description('Send real requests about the project to its language servers and report what works')
    .argument('[project]', projectHelp)
    .addOption(logLevelOption())
    .option('--json', 'print JSON')
    .action(async (given: string | undefined, flags: { json?: boolean; logLevel?: string }) => {
      const { healthCheck } = await import('./checks.ts');
      exitWith(await healthCheck(given, flags, environment));
    });
  addExamples(health, 'serena project health-check');
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
