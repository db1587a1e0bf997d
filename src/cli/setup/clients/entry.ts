import type { Environment } from '../../environment.ts';
import { stableCommand } from '../../stable-command.ts';
import type { EntryPlace } from './addition.ts';
import { configurationText } from './change-file.ts';
import type { Client } from './client.ts';
import { isOwnEntry } from './entry-command.ts';
import type { FileFormat } from './format.ts';
import { configurationFile } from './present.ts';
import { serverName } from './server-name.ts';
import { valueAt } from './with-value.ts';

/** Returns the command that a client starts this program with. */
export function startCommand(client: Client, environment: Environment): readonly [string, ...string[]] {
  const directory = client.hasDirectory ? ['--project-from-cwd'] : [];
  return [...stableCommand(environment), 'start-mcp-server', `--context=${client.context}`, ...directory];
}

/** Returns where the entry of this server belongs in a client's configuration. */
export async function entryPlace(client: Client, environment: Environment): Promise<EntryPlace> {
  const file = configurationFile(client, environment);
  const isOwn = (value: unknown) => isOwnEntry(value, stableCommand(environment));
  return { file, format: await formatOf(client), path: [...client.servers, serverName], isOwn };
}

/** Returns the entry of this server in a client's configuration. @throws {ExpectedError} `config.invalid`. */
export async function entryOf(client: Client, environment: Environment): Promise<unknown> {
  const { file, format, path } = await entryPlace(client, environment);
  return valueAt(format.parse(configurationText(file), file), path);
}

/** True if the client starts the server; false if its configuration cannot be read, which {@link entryOf} reports. */
export async function hasEntry(client: Client, environment: Environment): Promise<boolean> {
  return (await entryOf(client, environment).catch(() => undefined)) !== undefined;
}

async function formatOf({ format, servers }: Client): Promise<FileFormat> {
  if (format === 'json') return (await import('./json-format.ts')).jsonFormat;
  if (format === 'toml') return (await import('./toml-format.ts')).tomlFormat;
  return (await import('./yaml-format.ts')).yamlFormat(format === 'yaml-list' ? servers : undefined);
}
