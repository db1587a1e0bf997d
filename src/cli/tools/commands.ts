import { type Command, Option } from 'commander';
import { logLevels } from '../../base/log.ts';
import { addExamples, type Host } from '../host.ts';
import { addModeFlags } from '../mode-flags.ts';
import { parseSeconds } from '../option-values.ts';
import type { ToolsCallFlags } from './call.ts';
import type { ToolsListFlags } from './list.ts';

/** Adds `tools …`. */
export function addToolCommands(program: Command, { environment, exitWith }: Host): void {
  const tools = program.command('tools').description('The tools that clients can call');
  const list = tools
    .command('list')
    .description('List the tools, by default those that are there without configuration')
    .option('-a, --all', 'list every tool')
    .option('--only-optional', 'list only those that a configuration has to include')
    .option('-q, --quiet', 'print names only, in the order in which clients see them')
    .option('--json', 'print JSON')
    .action(async (options: ToolsListFlags) => {
      const { listTools } = await import('./list.ts');
      listTools(options);
    });
  addExamples(list, 'serena tools list --all');
  const describe = tools
    .command('description')
    .description('Print what clients are told about a tool')
    .argument('<tool>', 'its name')
    .option('--context <name>', 'as which client', 'desktop-app')
    .option('--json', 'print all of it, parameters included, as JSON')
    .action(async (tool: string, options: { context: string; json?: boolean }) => {
      const { describeTool } = await import('./description.ts');
      await describeTool(tool, options, environment);
    });
  addExamples(describe, 'serena tools description find_symbol --json');
  const call = tools
    .command('call')
    .description('Call a tool once, as a client would')
    .argument('<tool>', 'its name')
    .argument('[arguments]', 'its arguments as a JSON object; - for those on stdin')
    .addOption(new Option('--project <name-or-path>', 'project to work on').conflicts('projectFromCwd'))
    .option('--project-from-cwd', 'work on the project that the working directory lies in')
    .option('--context <name>', 'as which client, with its tools alone (default: any tool)');
  addModeFlags(call)
    .addOption(new Option('--log-level <level>', 'least level to log').choices(Object.keys(logLevels)))
    .option('--tool-timeout <seconds>', 'longest time for the call; 0 means no limit', parseSeconds)
    .option('--json', 'print the answer, what it leaves out and its notes as JSON')
    .action(async (tool: string, args: string | undefined, flags: ToolsCallFlags) => {
      const { callTool } = await import('./call.ts');
      exitWith(await callTool({ tool, args, flags }, environment));
    });
  addExamples(call, `serena tools call find_symbol '{"name_path_pattern": "Basket"}' --project .`);
}
