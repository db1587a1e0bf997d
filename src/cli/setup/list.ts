import { messageOf } from '../../base/errors.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { stableCommand } from '../stable-command.ts';
import type { Client } from './clients/client.ts';
import { clients } from './clients/clients.ts';
import { entryOf } from './clients/entry.ts';
import { isOwnEntry } from './clients/entry-command.ts';
import { evidenceOf } from './clients/present.ts';

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
  ownCaller.print(`${lines.join('\n')}\n`);
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
