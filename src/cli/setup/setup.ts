import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { entryAddition } from './clients/addition.ts';
import { addToFile, hardLinkNote } from './clients/change-file.ts';
import type { Client, ClientProgram } from './clients/client.ts';
import { commandLine } from './clients/command-line.ts';
import { configureProgram, findClientProgram } from './clients/configure-program.ts';
import { entryOf, entryPlace, startCommand } from './clients/entry.ts';
import { entryCommand } from './clients/entry-command.ts';
import { configurationFile } from './clients/present.ts';
import { serverName } from './clients/server-name.ts';
import { linkHooks } from './hooks-link.ts';

/**
 * Configures a client to start this program, or with `isPrint` prints the configuration. Returns the exit code.
 *
 * @throws {ExpectedError} `client.not-found` if only the client's own program can change its configuration and it is not
 *   on `PATH`, `client.refused`, and what {@link addToFile} throws.
 */
export async function setUpClient(
  client: Client,
  environment: Environment,
  { isPrint }: { isPrint: boolean },
): Promise<number> {
  if (isPrint) await printConfiguration(client, environment);
  else await configure(client, environment);
  return exitCodes.ok;
}

async function configure(client: Client, environment: Environment): Promise<void> {
  const path = client.program && (await findClientProgram(client.program, environment.env));
  const hasFileEntry = client.isStateFile !== true && (await entryOf(client, environment)) !== undefined;
  // The client's program would replace an existing entry and lose what the user set in it.
  if (client.program && path !== undefined && !hasFileEntry) {
    await viaProgram({ ...client, program: client.program }, path, environment);
  } else if (mayWriteFile(client, environment)) await viaFile(client, environment);
  else throw notFound(client, environment);
  if (client.hooks) {
    const link = linkHooks(client, environment);
    if (link !== undefined) print(`Created the command \`serena-hooks\`: \`${link}\``);
    print(`Hooks remind an agent of these tools; run \`serena setup ${client.id} --hooks\` to add them`);
  }
}

/** True if the file may be changed directly: an editor may contain the client, so its configuration directory suffices. */
function mayWriteFile(client: Client, environment: Environment): boolean {
  if (client.program === undefined) return true;
  return client.isStateFile !== true && existsSync(dirname(configurationFile(client, environment)));
}

async function viaProgram(client: Client & { program: ClientProgram }, path: string, environment: Environment) {
  const command = startCommand(client, environment);
  print(`Running: ${commandLine([client.program.name, ...client.program.add, '--', ...command])}`);
  const file = configurationFile(client, environment);
  const { outcome, backup } = await configureProgram(client, path, { command, env: environment.env, file });
  if (outcome === 'replaced') print(`Replaced the existing entry \`${serverName}\``);
  if (backup !== undefined) print(`Backup of its configuration: \`${backup}\``);
  print(
    outcome !== 'unchanged'
      ? `${client.name} now starts \`${serverName}\``
      : `${client.name} already starts \`${serverName}\``,
  );
}

async function viaFile(client: Client, environment: Environment): Promise<void> {
  const file = configurationFile(client, environment);
  const [program, ...args] = startCommand(client, environment);
  const previous = await entryOf(client, environment);
  const addition = entryAddition(await entryPlace(client, environment), client.entry(program, args));
  const { outcome, backup, otherNames = 0 } = addToFile(file, addition);
  if (outcome === 'unchanged') return print(`\`${file}\` already has \`${serverName}\`; nothing was changed`);
  print(`${previous === undefined ? 'Added' : 'Changed'} \`${serverName}\` in \`${file}\``);
  if (previous !== undefined) print(`Previous command: ${commandLine(entryCommand(previous)) || 'none'}`);
  if (backup !== undefined) print(`Backup of the file: \`${backup}\``);
  if (otherNames > 0) print(hardLinkNote(otherNames));
  print(`Restart ${client.name}, or reload its MCP servers`);
}

async function printConfiguration(client: Client, environment: Environment): Promise<void> {
  const command = startCommand(client, environment);
  const [program, ...args] = command;
  const { format, path } = await entryPlace(client, environment);
  ownCaller.print(format.print(path, client.entry(program, args)));
  ownCaller.report(`For ${client.name}, in ${filesOf(client, environment)}\n`);
  if (client.program) ownCaller.report(`Or run: ${addCommand(client.program, command)}\n`);
}

function filesOf(client: Client, environment: Environment): string {
  const file = `\`${configurationFile(client, environment)}\``;
  return client.isStateFile ? `${file}, or in \`.mcp.json\` in the directory of a project` : file;
}

function addCommand(program: ClientProgram, command: readonly string[]): string {
  return commandLine([program.name, ...program.add, '--', ...command]);
}

function notFound(client: Client, environment: Environment): ExpectedError {
  const name = client.program?.name ?? '';
  const run = client.program ? addCommand(client.program, startCommand(client, environment)) : '';
  return new ExpectedError('client.not-found', `cannot find ${client.name}: there is no \`${name}\` on \`PATH\``, {
    hints: [
      `put \`${name}\` on \`PATH\`, then run \`serena setup ${client.id}\` again`,
      `or run, in a shell that has \`${name}\`: ${run}`,
      `or add the output of \`serena setup ${client.id} --print\` to ${filesOf(client, environment)}`,
    ],
  });
}

function print(line: string): void {
  ownCaller.print(`${line}\n`);
}
