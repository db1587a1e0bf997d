import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { logLevels } from '../base/log.ts';
import type { StartFlags } from './commands/start-mcp-server.ts';
import type { ToolsListFlags } from './commands/tools-list.ts';
import type { Environment } from './environment.ts';
import { addHttpFlags } from './http-flags.ts';
import { exitCodes, reportFailure } from './report.ts';

/** Runs the command line `args` (without the program's name) and returns the exit code. Never rejects. */
export async function runCli(args: readonly string[], environment: Environment): Promise<number> {
  let exitCode: number = exitCodes.ok;
  const program = commandTree(environment, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error);
    // The library has written its message, which ends with a suggestion where it has one.
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  }
}

function commandTree(environment: Environment, exitWith: (code: number) => void): Command {
  const program = new Command('serena')
    .description('Symbol-level code intelligence for coding agents, over MCP')
    .version(`Serena ${environment.version}`, '-V, --version')
    .showHelpAfterError('Run with --help to see what is accepted')
    .exitOverride();
  const start = program
    .command('start-mcp-server')
    .description('Serve an MCP client over stdin and stdout, or any number of them over HTTP')
    .addOption(new Option('--project <name-or-path>', 'project to begin with').conflicts('projectFromCwd'))
    .option('--project-from-cwd', 'begin with the project that the working directory lies in')
    .option('--context <name>', 'which client this runs in', 'desktop-app')
    .addOption(new Option('--log-level <level>', 'least level to log').choices(Object.keys(logLevels)))
    .option('--tool-timeout <seconds>', 'longest time for one tool call; 0 means no limit', parseSeconds);
  addHttpFlags(start, parseSeconds).action(async (options: StartFlags) => {
    const { startMcpServer } = await import('./commands/start-mcp-server.ts');
    exitWith(await startMcpServer(options, environment));
  });
  const servers = program.command('servers').description('Language servers on this machine');
  servers
    .command('install')
    .description('Fetch language servers now instead of at first use')
    .argument('<id...>', 'language servers, such as python or typescript')
    .action(async (ids: string[]) => {
      const { installServers } = await import('./commands/servers-install.ts');
      await installServers(ids, environment);
    });
  const tools = program.command('tools').description('The tools that clients can call');
  tools
    .command('list')
    .description('List the tools, by default those that are there without configuration')
    .option('-a, --all', 'list every tool')
    .option('--only-optional', 'list only those that a configuration has to include')
    .option('-q, --quiet', 'print names only, in the order in which clients see them')
    .option('--json', 'print JSON')
    .action(async (options: ToolsListFlags) => {
      const { listTools } = await import('./commands/tools-list.ts');
      listTools(options);
    });
  return program;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isFinite(seconds))
    throw new InvalidArgumentError('It must be a number of seconds.');
  return seconds;
}
