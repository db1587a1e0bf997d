import { type Command, Option } from 'commander';
import { logLevels } from '../../base/log.ts';
import { addExamples, type Host } from '../host.ts';
import { parsePositiveSeconds } from '../option-values.ts';
import type { CreateFlags } from './create.ts';
import type { IndexFlags } from './index-project.ts';

const projectHelp = 'name or directory of the project (default: the working directory)';

/** Adds `project …`. */
export function addProjectCommands(program: Command, host: Host): void {
  const project = program.command('project').description('Projects: directories that agents work in');
  addMaking(project, host);
  addIndexing(project, host);
  addLooking(project, host);
}

function addMaking(project: Command, { environment, exitWith }: Host): void {
  const create = project
    .command('create')
    .description('Make a directory a project and remember it')
    .argument('[directory]', 'the directory (default: the working directory)')
    .option('--name <name>', 'name to activate it by (default: that of the directory)')
    .addOption(languageOption())
    .option('--index', 'index it as well')
    .addOption(timeoutOption())
    .addOption(logLevelOption())
    .action(async (path: string | undefined, options: CreateFlags) => {
      const { createProject } = await import('./create.ts');
      exitWith(await createProject(path, options, environment));
    });
  addExamples(create, 'serena project create', 'serena project create ~/shop --name shop --language python --index');
  const list = project
    .command('list')
    .description('List the known projects')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { listProjects } = await import('./list.ts');
      await listProjects(options, environment);
    });
  addExamples(list, 'serena project list');
  const remove = project
    .command('remove')
    .description('Forget a project; its files stay')
    .argument('<project>', 'its name or directory')
    .action(async (nameOrPath: string) => {
      const { removeProject } = await import('./remove.ts');
      await removeProject(nameOrPath, environment);
    });
  addExamples(remove, 'serena project remove shop');
}

function addIndexing(project: Command, { environment, exitWith }: Host): void {
  const index = project
    .command('index')
    .description('Put the symbols of every source file into the cache, so that first questions are fast')
    .argument('[project]', projectHelp)
    .option('--name <name>', 'name for a directory that is no project yet')
    .addOption(languageOption())
    .addOption(timeoutOption())
    .addOption(logLevelOption())
    .option('--json', 'print JSON')
    .action(async (given: string | undefined, options: CreateFlags) => {
      const { indexCommand } = await import('./index-project.ts');
      exitWith(await indexCommand(given, options, environment));
    });
  addExamples(index, 'serena project index', 'serena project index ~/shop --timeout 300');
  const file = project
    .command('index-file')
    .description('Put the symbols of one file into the cache')
    .argument('<file>', 'the file, relative to the working directory or to the project')
    .argument('[project]', projectHelp)
    .option('-v, --verbose', 'list the symbols')
    .option('--json', 'print JSON')
    .action(async (path: string, given: string | undefined, flags: { verbose?: boolean; json?: boolean }) => {
      const { indexFileCommand } = await import('./index-file.ts');
      await indexFileCommand(path, given, { flags, environment });
    });
  addExamples(file, 'serena project index-file src/app.py --verbose');
}

function addLooking(project: Command, { environment, exitWith }: Host): void {
  const ignored = project
    .command('is_ignored_path')
    .description('Say whether the project ignores a path')
    .argument('<path>', 'the path, relative to the project or absolute')
    .argument('[project]', projectHelp)
    .option('--json', 'print JSON')
    .action(async (path: string, given: string | undefined, flags: { json?: boolean }) => {
      const { tellIgnored } = await import('./is-ignored.ts');
      await tellIgnored(path, given, { flags, environment });
    });
  addExamples(ignored, 'serena project is_ignored_path build/app.js');
  const health = project
    .command('health-check')
    .description('Ask the language servers real questions about the project and say what works')
    .argument('[project]', projectHelp)
    .addOption(logLevelOption())
    .option('--json', 'print JSON')
    .action(async (given: string | undefined, flags: { json?: boolean; logLevel?: string }) => {
      const { healthCheck } = await import('./health-check.ts');
      exitWith(await healthCheck(given, flags, environment));
    });
  addExamples(health, 'serena project health-check');
}

function languageOption(): Option {
  const collect = (id: string, others: readonly string[] | undefined) => [...(others ?? []), id];
  return new Option(
    '--ls, --language <id>',
    'language server to use, repeatable (default: all that find files)',
  ).argParser(collect);
}

function timeoutOption(): Option {
  return new Option('--timeout <seconds>', 'give up on files whose server says nothing for so long')
    .argParser<IndexFlags['timeout']>(parsePositiveSeconds)
    .default(120);
}

function logLevelOption(): Option {
  return new Option('--log-level <level>', 'least level to log').choices(Object.keys(logLevels)).default('WARNING');
}
