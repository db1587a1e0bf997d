import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { userHome } from '../../base/home.ts';
import { findProgram } from '../../base/process/find-program.ts';
import type { Environment } from '../environment.ts';
import { stableCommand } from '../stable-command.ts';
import { configurationText } from './clients/change-file.ts';
import type { Client } from './clients/client.ts';
import { clients } from './clients/clients.ts';
import { hooksFile } from './clients/present.ts';

const linkName = 'serena-hooks';

/**
 * Links the command `serena-hooks` to this program if the hooks of a client run it: those of users of the reference product
 * do. Returns the absolute path of the new link, or `undefined` if none is needed, the command exists or no directory on
 * `PATH` is writable.
 */
export function linkHooks(client: Client, environment: Environment, platform = process.platform): string | undefined {
  if (!runsLink(client, environment)) return undefined;
  const [program, ...args] = stableCommand(environment);
  if (environment.build === undefined || args.length > 0 || platform === 'win32') return undefined;
  if (findProgram(linkName, environment.env) !== undefined) return undefined;
  const onPath = (environment.env.PATH ?? '').split(delimiter);
  for (const directory of directoriesFor(environment).filter((candidate) => onPath.includes(candidate))) {
    try {
      symlinkSync(program, join(directory, linkName));
      return join(directory, linkName);
    } catch {
      // Not writable: try the next one.
    }
  }
  return undefined;
}

/**
 * Removes links `serena-hooks` to this program, where {@link linkHooks} makes them, unless the hooks of a client run the
 * command. Returns their absolute paths.
 */
export function unlinkHooks(environment: Environment): string[] {
  const [program, ...args] = stableCommand(environment);
  if (args.length > 0 || clients.some((client) => runsLink(client, environment))) return [];
  const links = directoriesFor(environment).map((directory) => join(directory, linkName));
  const own = [...new Set(links)].filter((link) => linkTarget(link) === program);
  for (const link of own) rmSync(link);
  return own;
}

function directoriesFor(environment: Environment): string[] {
  const [program] = stableCommand(environment);
  return [dirname(program), join(userHome(environment.env), '.local', 'bin')];
}

function runsLink(client: Client, environment: Environment): boolean {
  const file = hooksFile(client, environment);
  try {
    return file !== undefined && new RegExp(`\\b${linkName}\\b`).test(configurationText(file));
  } catch {
    // It may, as the file cannot be read.
    return true;
  }
}

function linkTarget(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
