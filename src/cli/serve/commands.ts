import { InvalidArgumentError, Option } from 'commander';
import { logLevels } from '../../base/log.ts';
import { symbolSources } from '../../config/value-schemas.ts';
import { ownCaller } from '../caller.ts';
import { addCommand, addModeFlags, type CliCommand, type Host, parseBoolean, parseSeconds } from '../command.ts';
import { usageError } from '../report.ts';
import type { LspFlags } from './lsp.ts';
import type { SystemPromptFlags } from './print-system-prompt.ts';
import type { StartFlags } from './start-mcp-server.ts';

/** Adds the commands that serve agents: the MCP server, and the manual as text. */
export function addServingCommands(program: CliCommand, host: Omit<Host, 'run'>): void {
  addStart(program, host);
  addLsp(program, host);
  const print = addCommand(
    program,
    'print-system-prompt',
    'serena print-system-prompt . --context agent > system-prompt.md',
  )
    .description('Print the manual for agents, as a system prompt')
    .argument('[project]', 'name or directory of a project to describe')
    .option('--context <name>', 'context of the client', 'desktop-app');
  addModeFlags(print)
    .option('--only-instructions', 'omit the sentences around the manual')
    .action(async (project: string | undefined, options: SystemPromptFlags) =>
      (await import('./print-system-prompt.ts')).printSystemPrompt(project, options, host.environment),
    );
}

function addStart(program: CliCommand, { environment, start: startInstead }: Omit<Host, 'run'>): void {
  const start = addCommand(
    program,
    'start-mcp-server',
    'serena start-mcp-server --context claude-code --project-from-cwd',
    'serena start-mcp-server --transport streamable-http --port 8123',
  )
    .description('Serve one MCP client over stdin and stdout, or any number of clients over HTTP')
    .argument('[project]')
    .addOption(new Option('--project <name-or-path>', 'project to activate at start').conflicts('projectFromCwd'))
    .addOption(new Option('--project-file <path>').conflicts('projectFromCwd').hideHelp())
    .option('--project-from-cwd', 'activate the project that contains the working directory')
    .option('--context <name>', 'context of the client that runs the server', 'desktop-app');
  addModeFlags(start)
    .addOption(new Option('--language-backend <name>', 'backend for symbol queries').choices(['LSP', 'JetBrains']))
    .addOption(
      new Option('--symbol-source <source>', 'override `symbol_source` of the configuration').choices(symbolSources),
    )
    .addOption(new Option('--log-level <level>', 'minimum log level').choices(Object.keys(logLevels)))
    .option('--trace-lsp-communication <bool>', 'log all LSP messages, at level DEBUG', parseBoolean)
    .option('--tool-timeout <seconds>', 'time limit for one tool call; 0 means no limit', parseSeconds)
    .option('--enable-web-dashboard <bool>', 'override `web_dashboard` of your configuration', parseBoolean)
    .option('--open-web-dashboard <bool>', 'override `web_dashboard_open_on_launch`', parseBoolean)
    .option('--enable-gui-log-window <bool>', 'accepted for compatibility; has no effect', parseBoolean)
    .option('--no-service', 'serve this client in this process, whatever `service` of your configuration is')
    .usage('[options]')
    // The argument is an older spelling of `--project`.
    .configureHelp({ visibleArguments: () => [] })
    .action(async (project: string | undefined, options: StartFlags & { projectFile?: string }) => {
      if (startInstead) return await startInstead(withOlderSpellings(project, options), environment);
      const { startMcpServer } = await import('./start-mcp-server.ts');
      return await startMcpServer(withOlderSpellings(project, options), environment);
    });
  addHttpFlags(start, parseSeconds);
}

function addLsp(program: CliCommand, { environment, startLsp: startInstead }: Omit<Host, 'run'>): void {
  addCommand(program, 'lsp', 'serena lsp')
    .description('Serve one client of the Language Server Protocol over stdin and stdout, for every language')
    .addOption(
      new Option('--symbol-source <source>', 'override `symbol_source` of the configuration').choices(symbolSources),
    )
    .addOption(new Option('--log-level <level>', 'minimum log level').choices(Object.keys(logLevels)))
    .option('--tool-timeout <seconds>', 'time limit for one request; 0 means no limit', parseSeconds)
    .option('--no-service', 'serve this client in this process, whatever `service` of your configuration is')
    // Many clients pass it to every language server.
    .addOption(new Option('--stdio').hideHelp())
    .action(async (flags: LspFlags) => {
      if (startInstead) return await startInstead(flags, environment);
      return await (await import('./lsp.ts')).startLsp(flags, environment);
    });
}

/** Older configurations of clients name the project as an argument, or with `--project-file`. */
function withOlderSpellings(project: string | undefined, flags: StartFlags & { projectFile?: string }): StartFlags {
  const { projectFile, ...others } = flags;
  const older = project ?? projectFile;
  if (older === undefined) return others;
  if (others.projectFromCwd) {
    throw usageError('a project cannot be combined with `--project-from-cwd`', ['remove one of them']);
  }
  ownCaller.report(`Use \`--project ${older}\`: the other spelling is deprecated\n`);
  return { ...others, project: project ?? others.project ?? older };
}

/** Adds the transport flags to a command; `parseSeconds` parses a number of seconds. */
function addHttpFlags(command: CliCommand, parseSeconds: (text: string) => number): CliCommand {
  return command
    .addOption(
      new Option('--transport <kind>', 'transport to serve')
        .choices(['stdio', 'streamable-http', 'sse'])
        .default('stdio'),
    )
    .option(
      '--host <address>',
      'address to listen on for HTTP; any other than this machine requires a token',
      '127.0.0.1',
    )
    .option('--port <number>', 'port to listen on for HTTP; 0 picks a free one', parsePort, 8000)
    .addOption(
      new Option('--allowed-host <name...>', 'additional host name that HTTP clients may use').default([], 'none'),
    )
    .option(
      '--idle-timeout <seconds>',
      'close the session of an HTTP client that is silent for this long; 0 means never',
      parseSeconds,
      1800,
    );
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('it must be a number from 0 to 65535.');
}
