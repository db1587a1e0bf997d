import { type Command, Option } from 'commander';
import { logLevels } from '../../base/log.ts';
import type { SystemPromptFlags } from '../commands/print-system-prompt.ts';
import type { StartFlags } from '../commands/start-mcp-server.ts';
import { addExamples, type Host } from '../host.ts';
import { addHttpFlags } from '../http-flags.ts';
import { parseSeconds } from '../seconds.ts';

/** Adds the commands for what an agent is given: the server, and the manual as a text. */
export function addServingCommands(program: Command, { environment, exitWith }: Host): void {
  const start = program
    .command('start-mcp-server')
    .description('Serve an MCP client over stdin and stdout, or any number of them over HTTP')
    .addOption(new Option('--project <name-or-path>', 'project to begin with').conflicts('projectFromCwd'))
    .option('--project-from-cwd', 'begin with the project that the working directory lies in')
    .option('--context <name>', 'which client this runs in', 'desktop-app')
    .addOption(new Option('--log-level <level>', 'least level to log').choices(Object.keys(logLevels)))
    .option('--tool-timeout <seconds>', 'longest time for one tool call; 0 means no limit', parseSeconds);
  addHttpFlags(start, parseSeconds).action(async (options: StartFlags) => {
    const { startMcpServer } = await import('../commands/start-mcp-server.ts');
    exitWith(await startMcpServer(options, environment));
  });
  addExamples(start, 'serena start-mcp-server --context claude-code --project-from-cwd');
  const print = program
    .command('print-system-prompt')
    .description('Print the manual for agents, as a system prompt')
    .argument('[project]', 'name or folder of a project to tell about')
    .option('--context <name>', 'which client it is for', 'desktop-app')
    .option('--only-instructions', 'leave out the sentences around the manual')
    .action(async (project: string | undefined, options: SystemPromptFlags) => {
      const { printSystemPrompt } = await import('../commands/print-system-prompt.ts');
      await printSystemPrompt(project, options, environment);
    });
  addExamples(print, 'serena print-system-prompt . --context agent > system-prompt.md');
}
