import { ExpectedError } from '../../base/errors.ts';
import { loadUserConfig } from '../../config/user-config.ts';
import { homeFolder } from '../../install/layout.ts';
import type { Environment } from '../environment.ts';
import { describeServer } from '../servers/describe.ts';
import { serverNamed } from '../servers/named.ts';
import { printJson } from '../servers/work.ts';

/**
 * Writes the absolute path of a server's program to stdout. Fetches nothing.
 *
 * @throws {ExpectedError} `usage.invalid`; `server.missing` where it is not on this machine; `config.invalid`.
 */
export async function printServerPath(
  word: string,
  flags: { readonly json?: boolean },
  { env }: Environment,
): Promise<void> {
  const spec = serverNamed(word);
  const home = homeFolder(env);
  const { id, version, state, program } = describeServer(spec, { home, env }, await loadUserConfig(home));
  if (program === null) {
    throw new ExpectedError('server.missing', `\`${id}\` (${spec.name}) is not on this machine: it is ${state}`, {
      hints: [
        `Run \`serena servers install ${id}\``,
        'Run `serena servers unpack <file> --install` on a machine without network',
      ],
    });
  }
  if (flags.json) printJson({ id, version, state, program });
  else process.stdout.write(`${program}\n`);
}
