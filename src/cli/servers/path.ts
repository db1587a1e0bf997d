import { ExpectedError } from '../../base/errors.ts';
import { serversOf } from '../../session/assign-servers.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { loadUser } from '../load-user.ts';
import { describeServer } from './describe.ts';
import { serverNamed } from './named.ts';
import { printJson } from './work.ts';

/**
 * Writes the absolute path of a server's program to stdout. Downloads nothing.
 *
 * @throws {ExpectedError} `usage.invalid`; `server.missing` if it is not on this machine; `config.invalid`.
 */
export async function printServerPath(
  word: string,
  flags: { readonly json?: boolean },
  { env }: Environment,
): Promise<void> {
  const { home, user } = await loadUser(env);
  const spec = serverNamed(word, serversOf(user));
  const { id, version, state, program, missing } = await describeServer(spec, { home, env }, user);
  if (program === null) {
    throw new ExpectedError('server.missing', `\`${id}\` (${spec.name}) is not on this machine: it is ${state}`, {
      hints:
        state === 'to be installed manually' && missing !== null
          ? [missing.fix]
          : [
              `run \`serena servers install ${id}\``,
              'run `serena servers unpack <file> --install` on a machine without a network',
            ],
    });
  }
  if (flags.json) printJson({ id, version, state, program });
  else ownCaller.print(`${program}\n`);
}
