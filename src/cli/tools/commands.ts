import { Option } from 'commander';
import { logLevels } from '../../base/log.ts';
import { addCommand, addModeFlags, type CliCommand, type Host, parseSeconds } from '../command.ts';
import type { ToolsCallFlags, ToolsListFlags } from './tools.ts';

// Loaded when a command runs.
const loadTools = () => import('./tools.ts');

/** Adds `tools …`. */
export function addToolCommands(program: CliCommand, { environment }: Host): void {
  const tools = program.command('tools').description('List, describe and call tools');
  addCommand(tools, 'list', 'serena tools list --all')
    .description('List the tools that are enabled by default')
    .option('-a, --all', 'list all tools')
    .option('--only-optional', 'list only tools that a configuration must include')
    .option('-q, --quiet', 'print only names, in the order that clients see')
    .option('--json', 'print JSON')
    .action(async (options: ToolsListFlags) => (await loadTools()).listTools(options));
  addCommand(tools, 'description', 'serena tools description find_symbol --json')
    .description('Print the description of a tool as clients receive it')
    .argument('<tool>', 'name of the tool')
    .option('--context <name>', 'context of the client', 'desktop-app')
    .option('--json', 'print the full definition, with parameters, as JSON')
    .action(async (tool: string, options: { context: string; json?: boolean }) =>
      (await loadTools()).describeTool(tool, options, environment),
    );
  const call = addCommand(tools, 'call', `serena tools call find_symbol '{"name_path_pattern": "Basket"}'`)
    .description('Call a tool once, as a client would')
    .argument('<tool>', 'name of the tool')
    .argument('[arguments]', 'arguments as a JSON object; - reads them from stdin')
    .addOption(
      new Option(
        '--project <name-or-path>',
        'project (default: the one that contains the working directory)',
      ).conflicts('projectFromCwd'),
    )
    .option('--project-from-cwd', 'the default, but fails in a directory that nothing marks as a project')
    .option('--context <name>', 'context of the client, limited to its tools (default: any tool)');
  addModeFlags(call)
    .addOption(new Option('--log-level <level>', 'minimum log level').choices(Object.keys(logLevels)))
    .option('--tool-timeout <seconds>', 'time limit for the call; 0 means no limit', parseSeconds)
    .option('--json', 'print the answer, its gaps and notes as JSON')
    .action(async (tool: string, args: string | undefined, flags: ToolsCallFlags) =>
      (await loadTools()).callTool({ tool, args, flags }, environment),
    );
}
