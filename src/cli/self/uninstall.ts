import { existsSync, realpathSync } from 'node:fs';
import { rename, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pause } from '../../base/deadline.ts';
import { isExpected, messageOf } from '../../base/errors.ts';
import { homeDirectory, userHome } from '../../base/home.ts';
import { isProcessAlive } from '../../base/process/is-process-alive.ts';
import { megabytes } from '../../install/failures.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printLines } from '../output.ts';
import { exitCodes, usageError } from '../report.ts';
import { askService } from '../service/control.ts';
import { type Client, clients, configurationFile, serverName } from '../setup/clients.ts';
import { entryCommand, entryOf } from '../setup/entry.ts';
import { removeConfiguration } from '../setup/remove.ts';
import { ownSkills } from '../setup/skill.ts';
import { stableCommand } from '../stable-command.ts';
import { kindOf, type LeftPart, type Part, partsOfHome, removeEmptyHome, treePart } from './home-parts.ts';
import { packageOwner, replaceableProgram } from './own-program.ts';

/** Flags of `self uninstall`. */
export interface UninstallFlags {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/**
 * Shows what belongs to this program and how much it is, asks, and removes it. Keeps the directories of projects. Returns the
 * exit code: failed if the user declines or a part could not be removed.
 *
 * @throws {ExpectedError} `usage.invalid` if nobody can be asked.
 */
export async function uninstallSelf(flags: UninstallFlags, environment: Environment): Promise<number> {
  const home = homeDirectory(environment.env);
  const ofHome = partsOfHome(home, { isAll: flags.all === true });
  const ofClients = await partsOfClients(environment);
  const ofProgram = partsOfProgram(environment);
  const parts = [...ofClients.parts, ...ofHome.parts, ...ofProgram.parts];
  const left = [...ofClients.left, ...ofHome.left, ...ofProgram.left];
  printLines([...describe(parts), ...describeLeft(left)]);
  if (flags.dryRun === true) return exitCodes.ok;
  if (parts.length > 0) {
    if (!(await isConfirmed(flags))) {
      printLines(['Nothing was removed']);
      return exitCodes.failed;
    }
    await stopService(environment);
  }
  const isRemoved = await removeParts(parts);
  const names = await removeEmptyHome(home);
  if (names.length > 0) printLines([`Stays in ${home}: ${names.join(', ')}`]);
  return isRemoved ? exitCodes.ok : exitCodes.failed;
}

function partsOfProgram(environment: Environment): { parts: Part[]; left: LeftPart[] } {
  try {
    const { path } = replaceableProgram(environment);
    const directories = [...new Set([dirname(path), join(userHome(environment.env), '.local', 'bin')])];
    const links = directories
      .flatMap((directory) => ['serena', 'serena-hooks'].map((name) => join(directory, name)))
      .filter((link) => kindOf(link) === 'link' && existsSync(link) && realpathSync(link) === path);
    const left = [{ path: dirname(path), why: 'the directory stays on your PATH if you put it there' }];
    return { parts: [...links.map((link) => treePart('link', link)), programPart(path)], left };
  } catch (error) {
    if (!isExpected(error)) throw error;
    const path = environment.command[0];
    const owner = environment.build === undefined ? undefined : packageOwner(realpathSync(path), environment.env);
    return { parts: [], left: [{ path, why: owner === undefined ? messageOf(error) : `run: ${owner.remove}` }] };
  }
}

/** Windows does not remove a running program, but renames it. */
function programPart(path: string, platform = process.platform): Part {
  const part = treePart('program', path);
  if (platform !== 'win32') return part;
  const old = `${path}.old`;
  return { ...part, remove: () => rename(path, old).then(() => `remove it after this command has ended: ${old}`) };
}

function describe(parts: readonly Part[]): string[] {
  if (parts.length === 0) return ['There is nothing to remove'];
  const sizeBytes = (some: readonly Part[]) => some.reduce((sum, part) => sum + (part.sizeBytes ?? 0), 0);
  const rows = parts.map((part) => {
    const size = part.sizeBytes === undefined ? '' : ` (${megabytes(part.sizeBytes)})`;
    return `  ${part.what}: ${part.path}${size}`;
  });
  return [`To remove, ${megabytes(sizeBytes(parts))}:`, ...rows];
}

function describeLeft(left: readonly LeftPart[]): string[] {
  const rows = left.map(({ path, why }) => `  ${path}: ${why}`);
  return ['To keep:', ...rows, '  the directories `.serena` of your projects'];
}

async function isConfirmed({ yes }: UninstallFlags): Promise<boolean> {
  if (yes === true) return true;
  if (!process.stdin.isTTY) {
    throw usageError('there is no terminal to ask on', ['pass `--yes` to remove everything that is listed']);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question('Remove all of this? [y/N] ')).trim());
  } finally {
    terminal.close();
  }
}

async function removeParts(parts: readonly Part[]): Promise<boolean> {
  let isComplete = true;
  for (const { what, path, remove } of parts) {
    try {
      const note = await remove();
      printLines([`Removed ${what}: ${path}${note === undefined ? '' : `\n  ${note}`}`]);
    } catch (error) {
      isComplete = false;
      ownCaller.report(`error: cannot remove ${path}: ${messageOf(error)}\n`);
    }
  }
  return isComplete;
}

const stopTimeoutMs = 10_000;
const pollMs = 20;

/** Stops the background service of this program, which would write to the directories again. */
async function stopService(environment: Environment): Promise<void> {
  const status = await askService('stop', environment).catch(() => undefined);
  const deadline = performance.now() + stopTimeoutMs;
  while (status !== undefined && isProcessAlive(status.pid) && performance.now() < deadline) await pause(pollMs);
}

/**
 * Returns the entries of this program in the configurations of clients, and the skills that `setup` wrote. Entries that start
 * another program stay, as do files that cannot be read.
 */
async function partsOfClients(environment: Environment): Promise<{ parts: Part[]; left: LeftPart[] }> {
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
