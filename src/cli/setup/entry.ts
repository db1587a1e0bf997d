import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ExpectedError } from '../../base/errors.ts';
import { isRecord } from '../../base/own-value.ts';
import type { Environment } from '../environment.ts';
import { stableCommand } from '../stable-command.ts';
import { type Addition, configurationText } from './change-file.ts';
import { type Client, configurationFile, serverName } from './clients.ts';
import { brokenFile, type FileFormat, valueAt, withoutEmptyMaps, withValue } from './format.ts';

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

/** Returns the command of an entry, program first, or no words if it names none; other parts of it may be secret. */
export function entryCommand(entry: unknown): string[] {
  if (!isRecord(entry)) return [];
  return [entry.command ?? entry.cmd, entry.args].flat().filter((word) => typeof word === 'string');
}

/** True if an entry starts this program: it has the command `own` up to the subcommand, or one of this program elsewhere. */
export function isOwnEntry(entry: unknown, own: readonly string[], name = 'start-mcp-server'): boolean {
  const words = entryCommand(entry);
  const subcommand = words.indexOf(name);
  const program = words.slice(0, subcommand);
  const isHere = program.length > 0 && program.every((word, index) => word === own[index]);
  return isHere || (subcommand === 1 && /^serena(\.exe)?$/i.test(basename((words[0] ?? '').replaceAll('\\', '/'))));
}

/** An entry in a client's configuration. */
interface EntryPlace {
  /** Absolute path, for messages. */
  readonly file: string;
  readonly format: FileFormat;
  readonly path: readonly string[];
  /** True if setup wrote a value at `path`. */
  isOwn(value: unknown): boolean;
}

/** Returns an entry as an addition. Keys of an existing entry with a command that `entry` does not have are kept. */
export function entryAddition(place: EntryPlace, entry: Readonly<Record<string, unknown>>): Addition {
  const { file, format, path } = place;
  return {
    add: (text) => {
      const content = format.parse(text, file);
      requireMaps(content, path, file);
      const previous = valueAt(content, path);
      const next = merged(previous, entry);
      if (isDeepStrictEqual(previous, next)) return text;
      const changed = changedText(text, format, { path, previous, next });
      return verified(changed, place, withValue(content, path, next));
    },
    remove: (text, earlier = '') => {
      const content = format.parse(text, file);
      if (valueAt(content, path) === undefined) return text;
      const replaced = valueAt(format.parse(earlier, file), path);
      const changed = replaced === undefined ? format.remove(text, path) : format.set(text, path, replaced);
      return verified(changed, place, withValue(content, path, replaced));
    },
    isIn: (text) => place.isOwn(valueAt(format.parse(text, file), path)),
  };
}

/** Returns `changed` if it has the content that it should have, apart from empty maps around the entry. */
function verified(changed: string, { file, format, path }: EntryPlace, expected: unknown): string {
  const [actual, wanted] = [format.parse(changed, file), expected].map((content) => withoutEmptyMaps(content, path));
  // For example a file with a duplicate key: the client would not read the changed value.
  if (!isDeepStrictEqual(actual, wanted)) {
    throw brokenFile(file, 1, 'the entry cannot be changed without changing others');
  }
  return changed;
}

/** Keeps the user's additions to an entry with a program; replaces an entry with the URL of a server. */
function merged(previous: unknown, entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return isRecord(previous) && entryCommand(previous).length > 0 ? { ...previous, ...entry } : { ...entry };
}

function changedText(
  text: string,
  format: FileFormat,
  { path, previous, next }: { path: readonly string[]; previous: unknown; next: Record<string, unknown> },
): string {
  if (!isRecord(previous) || entryCommand(previous).length === 0) return format.set(text, path, next);
  const differing = Object.keys(next).filter((key) => !isDeepStrictEqual(previous[key], next[key]));
  return differing.reduce((changed, key) => format.set(changed, [...path, key], next[key]), text);
}

function requireMaps(content: unknown, path: readonly string[], file: string): void {
  for (const depth of path.keys()) {
    const value = valueAt(content, path.slice(0, depth));
    if (value === undefined || value === null || isRecord(value)) continue;
    const what = depth === 0 ? 'its content' : `\`${path.slice(0, depth).join('.')}\``;
    throw new ExpectedError('config.invalid', `cannot change \`${file}\`: ${what} must be a map of keys to values`, {
      hints: ['correct the file, then retry'],
    });
  }
}
