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

/** Name of this server in client configurations. */
export const serverName = 'serena';

/**
 * Configures the client `id` to start this program, or with `isPrint` prints the configuration. Returns the exit code.
 *
 * @throws {ExpectedError} `client.not-found` if only the client's own program can change its configuration and it is not
 *   on `PATH`, `client.refused`, and what {@link configureFile} throws.
 */
export async function setUpClient(
  id: string,
  environment: Environment,
  { isPrint }: { isPrint: boolean },
): Promise<number> {
  const client = clients.find((candidate) => candidate.id === id);
  if (client === undefined) throw new Error(`Unvalidated client: ${id}`);
  if (isPrint) await printConfiguration(client, environment);
  else await configure(client, environment);
  return exitCodes.ok;
}

/** Returns the command that a client starts this program with. */
export function startCommand(client: Client, environment: Environment): readonly [string, ...string[]] {
  const directory = client.hasDirectory ? ['--project-from-cwd'] : [];
  return [...stableCommand(environment), 'start-mcp-server', `--context=${client.context}`, ...directory];
}

/** Returns the format of the client's configuration. */
export async function formatOf({ format }: Client): Promise<FileFormat> {
  if (format === 'json') return (await import('./clients/json-format.ts')).jsonFormat;
  return (await import('./clients/toml-format.ts')).tomlFormat;
}

async function configure(client: Client, environment: Environment): Promise<void> {
  const path = client.program && (await findClientProgram(client.program, environment.env));
  const hasFileEntry = client.isStateFile !== true && (await entryOf(client, environment)) !== undefined;
  // The client's program would replace an existing entry and lose what the user set in it.
  if (client.program && path !== undefined && !hasFileEntry) {
    await viaProgram({ ...client, program: client.program }, path, environment);
  } else if (mayWriteFile(client, environment)) await viaFile(client, environment);
  else throw notFound(client, environment);
  if (hookClients.some((id) => id === client.id)) {
    const link = linkHooks(environment);
    if (link !== undefined) print(`Created the command \`serena-hooks\`: \`${link}\``);
    print(
      `Hooks remind an agent of these tools; run \`serena hooks show-config --client ${client.id}\` to see how to add them`,
    );
  }
}

/** True if the file may be changed directly: an editor may contain the client, so its configuration directory suffices. */
function mayWriteFile(client: Client, environment: Environment): boolean {
  if (client.program === undefined) return true;
  return client.isStateFile !== true && existsSync(dirname(configurationFile(client, environment)));
}

/** Returns the entry of this server in the client's configuration file. */
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
  const wanted = { path: [...client.servers, serverName], entry: client.entry(program, args) };
  const { outcome, backup, previous } = configureFile(file, await formatOf(client), wanted);
  if (outcome === 'unchanged') return print(`\`${file}\` already has \`${serverName}\`; nothing was changed`);
  print(`${outcome === 'added' ? 'Added' : 'Changed'} \`${serverName}\` in \`${file}\``);
  if (outcome === 'changed') print(`Previous command: ${programOf(previous)}`);
  if (backup !== undefined) print(`Backup of the file: \`${backup}\``);
  print(`Restart ${client.name}, or reload its MCP servers`);
}

/** Returns the command of an entry; other parts may be secret. */
function programOf(entry: unknown): string {
  if (!isMap(entry)) return 'none';
  const words = [entry.command, entry.args].flat().filter((word) => typeof word === 'string');
  return words.length > 0 ? commandLine(words) : 'none';
}

async function printConfiguration(client: Client, environment: Environment): Promise<void> {
  const command = startCommand(client, environment);
  const [program, ...args] = command;
  const format = await formatOf(client);
  process.stdout.write(format.print([...client.servers, serverName], client.entry(program, args)));
  process.stderr.write(`For ${client.name}, in ${filesOf(client, environment)}\n`);
  if (client.program) process.stderr.write(`Or run: ${addCommand(client.program, command)}\n`);
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
  process.stdout.write(`${line}\n`);
}
