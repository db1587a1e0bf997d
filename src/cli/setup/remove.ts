import { ExpectedError } from '../../base/errors.ts';
import type { Environment } from '../environment.ts';
import { printLine } from '../output.ts';
import { commandLine, stableCommand } from '../stable-command.ts';
import { type Addition, hardLinkNote, isLatestAddition, removeFromFile } from './change-file.ts';
import { findClientProgram, runClientProgram } from './client-program.ts';
import { type Client, configurationFile, hooksFile, serverName } from './clients.ts';
import { entryAddition, entryCommand, entryOf, entryPlace, isOwnEntry } from './entry.ts';
import { isMap } from './format.ts';
import { hooksAddition, unlinkHooks } from './hooks.ts';
import { removeSkill } from './skill.ts';

/**
 * Removes what setup has written for a client: its entry, hooks and skill. What somebody else wrote stays, and so does
 * everything else in the files.
 *
 * @throws {ExpectedError} `client.not-found` if only the client's own program can remove the entry and it is not on `PATH`,
 *   `client.refused`, and what {@link removeFromFile} throws.
 */
export async function removeClient(client: Client, environment: Environment): Promise<void> {
  const removed = [removeSkill(client, environment), await removeConfiguration(client, environment)];
  for (const link of unlinkHooks(environment)) printLine(`Removed the command \`serena-hooks\`: \`${link}\``);
  if (!removed.includes(true)) printLine(`There is nothing of \`${serverName}\` to remove from ${client.name}`);
}

/**
 * Removes the entry of this program and its hooks, and keeps the skill. Returns whether there were any.
 *
 * @throws as {@link removeClient}.
 */
export async function removeConfiguration(client: Client, environment: Environment): Promise<boolean> {
  // The entry last: the client's own program, which some need for it, may be missing. Unless it was added last to the same
  // file: the backups lead back only in that order.
  const removals = [removeHooks, removeEntry];
  if (await isEntryLatest(client, environment)) removals.reverse();
  const removed: boolean[] = [];
  for (const remove of removals) removed.push(await remove(client, environment));
  return removed.includes(true);
}

async function isEntryLatest(client: Client, environment: Environment): Promise<boolean> {
  const file = configurationFile(client, environment);
  if (client.isStateFile || hooksFile(client, environment) !== file) return false;
  const entry = await entryOf(client, environment);
  return isMap(entry) && isLatestAddition(file, entryAddition(await entryPlace(client, environment), entry));
}

async function removeEntry(client: Client, environment: Environment): Promise<boolean> {
  const entry = await entryOf(client, environment);
  if (entry === undefined) return false;
  const file = configurationFile(client, environment);
  if (!isMap(entry) || !isOwnEntry(entry, stableCommand(environment))) {
    const command = commandLine(entryCommand(entry)) || 'no command';
    printLine(
      `Kept \`${serverName}\` in \`${file}\`: setup did not write it, because it has another command: ${command}`,
    );
    return true;
  }
  if (client.isStateFile) return viaProgram(client, environment);
  return fromFile(file, entryAddition(await entryPlace(client, environment), entry), `\`${serverName}\``);
}

async function removeHooks(client: Client, environment: Environment): Promise<boolean> {
  const file = hooksFile(client, environment);
  return file !== undefined && fromFile(file, await hooksAddition(client, file, environment), 'the hooks');
}

/** Returns whether the file had the addition. */
function fromFile(file: string, addition: Addition, what: string): boolean {
  const { outcome, backup, hasReplaced, otherNames = 0 } = removeFromFile(file, addition);
  if (outcome === 'unchanged') return false;
  printLine(`Removed ${what} from \`${file}\``);
  if (hasReplaced === true) printLine('The file has again what setup had replaced');
  if (outcome === 'deleted') printLine('Deleted the file, which setup had created');
  if (outcome === 'restored') printLine('The file is as it was before setup');
  if (backup !== undefined) printLine(`Backup of the file: \`${backup}\``);
  if (otherNames > 0) printLine(hardLinkNote(otherNames));
  return true;
}

async function viaProgram(client: Client, { env }: Environment): Promise<boolean> {
  const { program } = client;
  if (program === undefined) throw new Error(`${client.id} has no program`);
  const line = commandLine([program.name, ...program.remove]);
  const path = await findClientProgram(program, env);
  if (path === undefined) {
    throw new ExpectedError(
      'client.not-found',
      `cannot find ${client.name}: there is no \`${program.name}\` on \`PATH\``,
      { hints: [`run, in a shell that has \`${program.name}\`: ${line}`] },
    );
  }
  printLine(`Running: ${line}`);
  const { code, output } = await runClientProgram(path, program.remove, env);
  if (code === 0) return true;
  throw new ExpectedError('client.refused', `${client.name} did not remove the server\n${output.trim()}`, {
    hints: [`run \`${line}\` yourself`],
  });
}
