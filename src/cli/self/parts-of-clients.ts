import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isExpected, messageOf } from '../../base/errors.ts';
import { readTextIfExists } from '../../base/files.ts';
import type { Environment } from '../environment.ts';
import type { Client } from '../setup/clients/client.ts';
import { clients } from '../setup/clients/clients.ts';
import { configurationFile } from '../setup/clients/present.ts';
import { type ClientEntry, removeEntry } from '../setup/clients/remove-entry.ts';
import { isMap } from '../setup/clients/with-value.ts';
import { formatOf, serverName } from '../setup/setup.ts';
import { ownSkills } from '../setup/skill.ts';
import { stableCommand } from '../stable-command.ts';
import { type LeftPart, type Part, treePart } from './part.ts';

/**
 * Returns the entries of this program in the configurations of clients, and the skills that `setup` wrote. Entries that start
 * another program stay, as do files that cannot be read.
 */
export async function partsOfClients(environment: Environment): Promise<{ parts: Part[]; left: LeftPart[] }> {
  const parts: Part[] = [];
  const left: LeftPart[] = [];
  for (const client of clients) {
    const found = await entryOf(client, environment);
    if (found === undefined) continue;
    if (typeof found === 'string') left.push({ path: configurationFile(client, environment), why: found });
    else parts.push(entryPart(found, environment));
  }
  return { parts: [...parts, ...ownSkills(environment.env).map(skillPart)], left };
}

function skillPart(path: string): Part {
  const part = treePart('skill', path);
  const remove = async () => {
    await part.remove();
    // A directory with files of others stays: the call fails.
    await rmdir(dirname(path)).catch(() => undefined);
    return undefined;
  };
  return { ...part, remove };
}

function entryPart(entry: ClientEntry, environment: Environment): Part {
  const remove = async () => {
    try {
      const copy = await removeEntry(entry, environment);
      return copy === undefined ? undefined : `copy of the file as it was: ${copy}`;
    } catch (error) {
      if (!isExpected(error)) throw error;
      return [`not removed: ${messageOf(error)}`, ...error.hints].join('; ');
    }
  };
  return { what: `entry \`${serverName}\` of ${entry.client.name}`, path: entry.file, remove };
}

/** Returns the entry that starts this program, why an entry stays, or `undefined` if there is none. */
async function entryOf(client: Client, environment: Environment): Promise<ClientEntry | string | undefined> {
  const file = configurationFile(client, environment);
  const path = [...client.servers, serverName];
  const format = await formatOf(client);
  try {
    const content = format.parse((readTextIfExists(file) ?? '').replace('\uFEFF', ''), file);
    const entry = path.reduce<unknown>((value, key) => (isMap(value) ? value[key] : undefined), content);
    if (!isMap(entry)) return undefined;
    const program = [entry.command].flat()[0];
    const isOwn = [environment.command[0], stableCommand(environment)[0]].includes(String(program));
    if (isOwn) return { client, file, path, format };
    return `the entry \`${serverName}\` of ${client.name} starts another program: ${String(program)}`;
  } catch (error) {
    return `${client.name}: ${messageOf(error)}`;
  }
}
