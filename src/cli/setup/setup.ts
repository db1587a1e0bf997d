import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { setInYaml } from '../../base/yaml-edit.ts';
import { editUserConfig } from '../../config/edit-user-config.ts';
import { loadUserConfig, userConfigPath } from '../../config/user-config.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printLine, printLines } from '../output.ts';
import { exitCodes } from '../report.ts';
import { commandLine, stableCommand } from '../stable-command.ts';
import { loadUser } from '../user.ts';
import { addToFile, hardLinkNote } from './change-file.ts';
import { configureProgram, findClientProgram } from './client-program.ts';
import {
  type Client,
  type ClientProgram,
  clients,
  configurationFile,
  evidenceOf,
  isPresent,
  serverName,
} from './clients.ts';
import { entryAddition, entryCommand, entryOf, entryPlace, isOwnEntry, startCommand } from './entry.ts';
import { linkHooks } from './hooks.ts';

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
    if (link !== undefined) printLine(`Created the command \`serena-hooks\`: \`${link}\``);
    printLine(`Hooks remind an agent of these tools; run \`serena setup ${client.id} --hooks\` to add them`);
  }
}

/** True if the file may be changed directly: an editor may contain the client, so its configuration directory suffices. */
function mayWriteFile(client: Client, environment: Environment): boolean {
  if (client.program === undefined) return true;
  return client.isStateFile !== true && existsSync(dirname(configurationFile(client, environment)));
}

async function viaProgram(client: Client & { program: ClientProgram }, path: string, environment: Environment) {
  const command = startCommand(client, environment);
  printLine(`Running: ${commandLine([client.program.name, ...client.program.add, '--', ...command])}`);
  const file = configurationFile(client, environment);
  const { outcome, backup } = await configureProgram(client, path, { command, env: environment.env, file });
  if (outcome === 'replaced') printLine(`Replaced the existing entry \`${serverName}\``);
  if (backup !== undefined) printLine(`Backup of its configuration: \`${backup}\``);
  printLine(
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
  if (outcome === 'unchanged') return printLine(`\`${file}\` already has \`${serverName}\`; nothing was changed`);
  printLine(`${previous === undefined ? 'Added' : 'Changed'} \`${serverName}\` in \`${file}\``);
  if (previous !== undefined) printLine(`Previous command: ${commandLine(entryCommand(previous)) || 'none'}`);
  if (backup !== undefined) printLine(`Backup of the file: \`${backup}\``);
  if (otherNames > 0) printLine(hardLinkNote(otherNames));
  printLine(`Restart ${client.name}, or reload its MCP servers`);
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

/** Lists the clients that are found on this machine: what shows that they are, whether they are set up, and what to run. */
export async function listClients(environment: Environment): Promise<void> {
  const found = clients.flatMap((client) => {
    const evidence = evidenceOf(client, environment);
    return evidence === undefined ? [] : [{ client, evidence }];
  });
  const rows = await Promise.all(
    found.map(async ({ client, evidence }) => [client.id, ...(await stateOf(client, environment)), evidence]),
  );
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const others = clients.filter((client) => !found.some((one) => one.client === client)).map(({ id }) => id);
  if (lines.length === 0) lines.push('No client was found on this machine');
  if (others.length > 0) lines.push('', `Not found: ${others.join(', ')}`);
  printLines(lines);
}

/** Returns the state and the next command. */
async function stateOf(client: Client, environment: Environment): Promise<[state: string, command: string]> {
  const setup = `serena setup ${client.id}`;
  try {
    const entry = await entryOf(client, environment);
    if (entry === undefined) return ['not set up', setup];
    if (isOwnEntry(entry, stableCommand(environment))) return ['set up', `serena setup --remove ${client.id}`];
    return ['starts another program', setup];
  } catch (error) {
    return [`broken: ${messageOf(error)}`, `${setup} --print`];
  }
}

/**
 * Creates the user's configuration if it does not exist, and prints the next steps. Writes the backend if one is given or
 * the file is new.
 *
 * @throws {ExpectedError} `config.invalid` for a broken file, `install.home-unusable`, `lock.held`.
 */
export async function initialize(backend: string | undefined, environment: Environment): Promise<void> {
  const { env, version } = environment;
  // Throws for a broken file, which must not be changed.
  const { home } = await loadUser(env);
  const isNew = !existsSync(userConfigPath(home));
  await editUserConfig(home, env, (text) =>
    backend !== undefined || isNew ? setInYaml(text, 'language_backend', backend ?? 'LSP') : text,
  );
  const { language_backend: stored = 'LSP' } = await loadUserConfig(home);
  const present = clients.filter((client) => isPresent(client, environment));
  const lines = [
    `Serena ${version}`,
    `Configuration: ${userConfigPath(home)}${isNew ? ' (new)' : ''}`,
    `Language backend: ${stored}`,
    ...(present.length > 0
      ? ['', 'To use Serena in a client, run:', ...present.map(({ id }) => `  serena setup ${id}`), '']
      : []),
    'run `serena doctor` to see what is configured and what is missing',
  ];
  printLines(lines);
}
