import { CommanderError } from 'commander';
import { guardOutput } from '../base/end-output.ts';
import { ownCaller } from './caller.ts';
import { addCodeCommands, addExitCodesTopic } from './code/commands.ts';
import { addOfflineFlag, CliCommand } from './command.ts';
import { addConfigurationCommands, addPromptCommands } from './config/commands.ts';
import type { Environment } from './environment.ts';
import { addHookCommands } from './hooks/commands.ts';
import { addMemoryCommands } from './memories/commands.ts';
import {
  addCompletionsCommand,
  addDashboardCommand,
  addDoctorCommand,
  addLogsCommand,
  addSelfCheckCommand,
  addSelfCommands,
  addServiceCommands,
} from './program-commands.ts';
import { addProjectCommands } from './project/commands.ts';
import { exitCodes, reportFailure, usageMessage } from './report.ts';
import { addScipCommands } from './scip/commands.ts';
import { addServingCommands } from './serve/commands.ts';
import { addServerCommands } from './servers/commands.ts';
import { addSetupCommands } from './setup/commands.ts';
import { addToolCommands } from './tools/commands.ts';

/** Runs the command line `args` (without the program name) and returns the exit code. Never rejects. */
export async function runCli(args: readonly string[], environment: Environment): Promise<number> {
  const { caller = ownCaller } = environment;
  let exitCode: number = exitCodes.ok;
  const setExitCode = (code: number) => {
    exitCode = code;
  };
  // A server ends when its client has closed its output.
  if (!servers.includes(args[0] ?? '')) guardOutput();
  const program = commandTree(environment, setExitCode, args[0]);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error, caller);
    if (error.exitCode === 0) return exitCodes.ok;
    // The command was missing, and commander has already printed the help.
    return error.code === 'commander.help' ? exitCodes.usage : reportFailure(usageMessage(error), caller);
  }
}

/** In the order of the help. No command is in two groups. */
const groups = [
  addServingCommands,
  addSetupCommands,
  addDoctorCommand,
  addSelfCheckCommand,
  addSelfCommands,
  addCodeCommands,
  addProjectCommands,
  addScipCommands,
  addMemoryCommands,
  addConfigurationCommands,
  addPromptCommands,
  addToolCommands,
  addServerCommands,
  addServiceCommands,
  addDashboardCommand,
  addLogsCommand,
  addHookCommands,
  addCompletionsCommand,
  addExitCodesTopic,
];

/**
 * Returns all commands, or only those up to the group of the command `name`: creating all of them would add as much to a
 * client's start-up time as reading the configuration. Actions are loaded when a command runs.
 */
export function commandTree(environment: Environment, exitWith: (code: number) => void, name?: string): CliCommand {
  const env: Record<string, string | undefined> = { ...environment.env };
  const host = { environment: { ...environment, env }, run: runCli };
  const { caller = ownCaller } = environment;
  const program = new CliCommand('serena', exitWith)
    .description('Symbol-level code intelligence for coding agents, over MCP')
    .version(`Serena ${host.environment.version}`, '-V, --version')
    .configureOutput({
      writeOut: (text) => caller.print(text),
      writeErr: (text) => caller.report(text),
      outputError: () => undefined,
    })
    // A command may have options with the names of the program's own, such as `--version`.
    .enablePositionalOptions()
    .exitOverride()
    // Not for the server: its client may exit without having read all output.
    .hook('postAction', async (_program, command) => {
      const problem = servers.includes(command.name()) ? undefined : await caller.endOutput();
      if (problem === undefined) return;
      caller.report(`error: Cannot write the output: ${problem.message}\n`);
      exitWith(exitCodes.failed);
    });
  program
    .commandsGroup('Manage:')
    .helpCommand('help [command]', 'Print the help of a command')
    .configureHelp({ groupItems: (_all, shown, groupOf) => inOrder(Map.groupBy(shown, groupOf)) })
    .addHelpText('after', '\nExit codes: `serena help exit-codes`');
  for (const addGroup of groups) {
    addGroup(program, host);
    if (program.commands.some((command) => command.name() === name)) break;
  }
  for (const command of program.commands) if (starting.includes(command.name())) command.helpGroup('Start:');
  addOfflineFlag(program, env);
  return program;
}

/** Commands that serve a client over stdin and stdout. */
const servers: readonly string[] = ['start-mcp-server', 'lsp'];

/** Commands of the first group in the help. */
const starting = ['start-mcp-server', 'lsp', 'setup', 'doctor', 'dashboard'];
const order = ['Start:', 'Ask:', 'Edit:', 'Manage:'];

/** Returns groups of the help in order, whichever of their commands was added first. */
function inOrder<T>(byTitle: ReadonlyMap<string, T>): Map<string, T> {
  return new Map([...byTitle].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}
