import { symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { findProgram } from '../../base/process/find-program.ts';
import { userHome } from '../../install/store/layout.ts';
import type { Environment } from '../environment.ts';
import { stableCommand } from '../stable-command.ts';

const linkName = 'serena-hooks';

/**
 * Makes `serena-hooks` a command: users of `serena-agent` have it in the hooks of their clients. Returns the absolute path
 * of the link it made, or `undefined` if the command is there already or no directory on `PATH` takes it.
 */
export function linkHooks(environment: Environment): string | undefined {
  const [program, ...args] = stableCommand(environment);
  if (environment.build === undefined || args.length > 0 || process.platform === 'win32') return undefined;
  if (findProgram(linkName, environment.env) !== undefined) return undefined;
  const onPath = (environment.env.PATH ?? '').split(delimiter);
  const places = [dirname(program), join(userHome(environment.env), '.local', 'bin')];
  for (const directory of places.filter((place) => onPath.includes(place))) {
    try {
      symlinkSync(program, join(directory, linkName));
      return join(directory, linkName);
    } catch {
      // A directory of the system: the next one may do.
    }
  }
  return undefined;
}
