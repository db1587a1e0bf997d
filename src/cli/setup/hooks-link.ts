import { symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { userHome } from '../../base/home.ts';
import { findProgram } from '../../base/process/find-program.ts';
import type { Environment } from '../environment.ts';
import { stableCommand } from '../stable-command.ts';

const linkName = 'serena-hooks';

/**
 * Links the command `serena-hooks` to this program, because users of the reference product have it in their hook
 * configuration. Returns the absolute path of the new link, or `undefined` if the command exists or no directory on
 * `PATH` is writable.
 */
export function linkHooks(environment: Environment, platform = process.platform): string | undefined {
  const [program, ...args] = stableCommand(environment);
  if (environment.build === undefined || args.length > 0 || platform === 'win32') return undefined;
  if (findProgram(linkName, environment.env) !== undefined) return undefined;
  const onPath = (environment.env.PATH ?? '').split(delimiter);
  const candidates = [dirname(program), join(userHome(environment.env), '.local', 'bin')];
  for (const directory of candidates.filter((candidate) => onPath.includes(candidate))) {
    try {
      symlinkSync(program, join(directory, linkName));
      return join(directory, linkName);
    } catch {
      // Not writable: try the next one.
    }
  }
  return undefined;
}
