import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isExpected, messageOf } from '../../base/errors.ts';
import type { Environment } from '../environment.ts';
import type { Client } from '../setup/clients/client.ts';
import { clients } from '../setup/clients/clients.ts';
import { entryOf } from '../setup/clients/entry.ts';
import { entryCommand } from '../setup/clients/entry-command.ts';
import { configurationFile } from '../setup/clients/present.ts';
import { serverName } from '../setup/clients/server-name.ts';
import { removeConfiguration } from '../setup/remove.ts';
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
    const path = configurationFile(client, environment);
    const why = await whyNotRemoved(client, environment);
    if (why === undefined) parts.push(configurationPart(client, environment));
    else if (why !== '') left.push({ path, why });
  }
  return { parts: [...parts, ...ownSkills(environment).map(skillPart)], left };
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

function configurationPart(client: Client, environment: Environment): Part {
  const remove = async () => {
    try {
      await removeConfiguration(client, environment);
      return undefined;
    } catch (error) {
      if (!isExpected(error)) throw error;
      return [`not removed: ${messageOf(error)}`, ...error.hints].join('; ');
    }
  };
  return { what: `entry \`${serverName}\` of ${client.name}`, path: configurationFile(client, environment), remove };
}

/** Returns why the entry of a client stays; `undefined` if it starts this program, the empty text if there is none. */
async function whyNotRemoved(client: Client, environment: Environment): Promise<string | undefined> {
  try {
    const entry = await entryOf(client, environment);
    if (entry === undefined) return '';
    const program = entryCommand(entry)[0] ?? 'none';
    // Another program may have the name of this one.
    if ([environment.command[0], stableCommand(environment)[0]].includes(program)) return undefined;
    return `the entry \`${serverName}\` of ${client.name} starts another program: ${program}`;
  } catch (error) {
    return `${client.name}: ${messageOf(error)}`;
  }
}
