import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { readTextIfExists } from '../../base/files.ts';
import { hookClients } from '../../hooks/hook-client.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { stableCommand } from '../stable-command.ts';
import type { Client, ClientProgram } from './clients/client.ts';
import { clients } from './clients/clients.ts';
import { commandLine } from './clients/command-line.ts';
import { configureFile } from './clients/configure-file.ts';
import { configureProgram, findClientProgram } from './clients/configure-program.ts';
import type { FileFormat } from './clients/format.ts';
import { configurationFile } from './clients/present.ts';
import { isMap } from './clients/with-value.ts';
import { linkHooks } from './hooks-link.ts';

/** The name under which clients know us. */
export const serverName = 'serena';

/**
 * Makes the client `id` start this program, or with `isPrint` prints what would make it. Returns the exit code.
 *
 * @throws {ExpectedError} `client.not-found` for a client that only its own program can set up and that is not there,
 *   `client.refused`, and what {@link configureFile} throws.
 */
export async function setUpClient(
  id: string,
  environment: Environment,
  { isPrint }: { isPrint: boolean },
): Promise<number> {
  const client = clients.find((candidate) => candidate.id === id);
  if (client === undefined) throw new Error(`The command line let the client ${id} pass`);
  if (isPrint) await printConfiguration(client, environment);
  else await configure(client, environment);
  return exitCodes.ok;
}

/** Returns the command by which a client starts us. */
export function startCommand(client: Client, environment: Environment): readonly [string, ...string[]] {
  const directory = client.hasDirectory ? ['--project-from-cwd'] : [];
  return [...stableCommand(environment), 'start-mcp-server', `--context=${client.context}`, ...directory];
}

/** Returns how the client's configuration is read and changed. */
export async function formatOf({ format }: Client): Promise<FileFormat> {
  if (format === 'json') return (await import('./clients/json-format.ts')).jsonFormat;
  return (await import('./clients/toml-format.ts')).tomlFormat;
}

async function configure(client: Client, environment: Environment): Promise<void> {
  const path = client.program && (await findClientProgram(client.program, environment.env));
  const isOwnEntry = client.isOwnMemory !== true && (await entryOf(client, environment)) !== undefined;
  // The program would replace an entry with all that its user has set in it.
  if (client.program && path !== undefined && !isOwnEntry) {
    await viaProgram({ ...client, program: client.program }, path, environment);
  } else if (mayWriteFile(client, environment)) await viaFile(client, environment);
  else throw notFound(client, environment);
  if (hookClients.some((id) => id === client.id)) {
    const link = linkHooks(environment);
    if (link !== undefined) say(`Made the command \`serena-hooks\`: \`${link}\``);
    say(`Hooks keep an agent on these tools: \`serena hooks show-config --client ${client.id}\` shows how to add them`);
  }
}

/** Without its program a client is taken to be there if the directory of its configuration is: an editor may hold it. */
function mayWriteFile(client: Client, environment: Environment): boolean {
  if (client.program === undefined) return true;
  return client.isOwnMemory !== true && existsSync(dirname(configurationFile(client, environment)));
}

/** Returns what the client's configuration file has under our name. */
async function entryOf(client: Client, environment: Environment): Promise<unknown> {
  const file = configurationFile(client, environment);
  const text = (readTextIfExists(file) ?? '').replace('\uFEFF', '');
  const content = (await formatOf(client)).parse(text, file);
  return [...client.servers, serverName].reduce<unknown>(
    (value, key) => (isMap(value) ? value[key] : undefined),
    content,
  );
}

async function viaProgram(client: Client & { program: ClientProgram }, path: string, environment: Environment) {
  const command = startCommand(client, environment);
  say(`Running: ${commandLine([client.program.name, ...client.program.add, '--', ...command])}`);
  const file = configurationFile(client, environment);
  const { outcome, backup } = await configureProgram(client, path, { command, env: environment.env, file });
  if (outcome === 'replaced') say(`Replaced the entry that \`${serverName}\` had there`);
  if (backup !== undefined) say(`Its configuration as it was: \`${backup}\``);
  say(outcome !== 'unchanged' ? `${client.name} now starts \`${serverName}\`` : `${client.name} starts it already`);
}

async function viaFile(client: Client, environment: Environment): Promise<void> {
  const file = configurationFile(client, environment);
  const [program, ...args] = startCommand(client, environment);
  const wanted = { path: [...client.servers, serverName], entry: client.entry(program, args) };
  const { outcome, backup, previous } = configureFile(file, await formatOf(client), wanted);
  if (outcome === 'unchanged') return say(`\`${file}\` has \`${serverName}\` already; nothing was changed`);
  say(`${outcome === 'added' ? 'Added' : 'Changed'} \`${serverName}\` in \`${file}\``);
  if (outcome === 'changed') say(`It ran: ${programOf(previous)}`);
  if (backup !== undefined) say(`The file as it was: \`${backup}\``);
  say(`Restart ${client.name}, or let it load its MCP servers again`);
}

/** Not all of the entry: it may hold secrets. */
function programOf(entry: unknown): string {
  if (!isMap(entry)) return 'nothing';
  const words = [entry.command, entry.args].flat().filter((word) => typeof word === 'string');
  return words.length > 0 ? commandLine(words) : 'no program';
}

async function printConfiguration(client: Client, environment: Environment): Promise<void> {
  const command = startCommand(client, environment);
  const [program, ...args] = command;
  const format = await formatOf(client);
  process.stdout.write(format.print([...client.servers, serverName], client.entry(program, args)));
  process.stderr.write(`For ${client.name}, in ${placesOf(client, environment)}\n`);
  if (client.program) process.stderr.write(`Or run: ${addCommand(client.program, command)}\n`);
}

function placesOf(client: Client, environment: Environment): string {
  const file = `\`${configurationFile(client, environment)}\``;
  return client.isOwnMemory ? `${file}, or in \`.mcp.json\` in the directory of a project` : file;
}

function addCommand(program: ClientProgram, command: readonly string[]): string {
  return commandLine([program.name, ...program.add, '--', ...command]);
}

function notFound(client: Client, environment: Environment): ExpectedError {
  const name = client.program?.name ?? '';
  const run = client.program ? addCommand(client.program, startCommand(client, environment)) : '';
  return new ExpectedError('client.not-found', `Cannot find ${client.name}: there is no \`${name}\` on \`PATH\``, {
    hints: [
      `Put \`${name}\` on \`PATH\`, then run \`serena setup ${client.id}\` again`,
      `Where \`${name}\` is, run: ${run}`,
      `Put what \`serena setup ${client.id} --print\` prints into ${placesOf(client, environment)}`,
    ],
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
