import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Environment } from '../environment.ts';
import type { Client } from '../setup/clients/client.ts';
import { clients } from '../setup/clients/clients.ts';
import { entryOf } from '../setup/clients/entry.ts';
import { entryCommand } from '../setup/clients/entry-command.ts';
import { configurationFile, isPresent } from '../setup/clients/present.ts';
import { serverName } from '../setup/clients/server-name.ts';
import { isMap } from '../setup/clients/with-value.ts';
import { stableCommand } from '../stable-command.ts';
import type { Finding } from './finding.ts';

/** Checks the clients on this machine: whether they start this program, and whether the program they start exists. */
export async function checkClients(environment: Environment): Promise<Finding[]> {
  const present = clients.filter((client) => isPresent(client, environment));
  return await Promise.all(present.map((client) => checkClient(client, environment)));
}

async function checkClient(client: Client, environment: Environment): Promise<Finding> {
  const file = configurationFile(client, environment);
  const fix = `run: serena setup ${client.id}`;
  try {
    const entry = await entryOf(client, environment);
    if (!isMap(entry)) return { area: 'clients', status: 'note', what: `${client.name} is not set up`, fix };
    return checkProgram(client, entryCommand(entry)[0], environment);
  } catch (error) {
    return { area: 'clients', status: 'problem', what: `${client.name}: ${messageOf(error)}`, fix: `correct ${file}` };
  }
}

function checkProgram(client: Client, program: string | undefined, environment: Environment): Finding {
  const fix = `run: serena setup ${client.id}`;
  const own = [environment.command[0], stableCommand(environment)[0]];
  if (own.some((path) => path === program))
    return { area: 'clients', status: 'ok', what: `${client.name} starts this program` };
  if (program === undefined) {
    return { area: 'clients', status: 'ok', what: `${client.name} uses a server called \`${serverName}\` elsewhere` };
  }
  if (isAbsolute(program) && !existsSync(program)) {
    return { area: 'clients', status: 'problem', what: `${client.name} starts ${program}, which does not exist`, fix };
  }
  return { area: 'clients', status: 'note', what: `${client.name} starts another program: ${program}`, fix };
}
