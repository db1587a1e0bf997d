import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '../../base/counted.ts';
import { indexFile } from '../../session/index-file.ts';
import { ownCaller } from '../caller.ts';
import { withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { projectArgument } from '../project-argument.ts';

/**
 * Caches the symbols of one file and prints their number, with `verbose` also the symbols. `file` is relative to the
 * working directory if it exists there, else to the project.
 *
 * @throws {ExpectedError} `project.*`, `file.*`, `server.*`, `install.*`.
 */
export async function indexFileCommand(
  file: string,
  given: string | undefined,
  options: { flags: { readonly verbose?: boolean; readonly json?: boolean }; environment: Environment },
): Promise<void> {
  const { flags, environment } = options;
  await withCommandContext(environment, { prefix: 'indexing' }, async ({ user, projects, call }) => {
    const open = await projects.open(await projectArgument(given, environment.cwd, user), { user });
    const fromHere = resolve(environment.cwd, file);
    const indexed = await indexFile(open, existsSync(fromHere) ? fromHere : file, call);
    if (flags.json) {
      ownCaller.print(`${JSON.stringify(indexed, undefined, 2)}\n`);
      return;
    }
    const { symbols, serverId } = indexed;
    // 1-based, as editors count.
    const lines = symbols.map(({ namePath, kind, line }) => `${namePath}  ${kind}  line ${line + 1}\n`);
    if (flags.verbose) ownCaller.print(lines.join(''));
    const directory = open.project.state.cache;
    ownCaller.print(
      `${counted(symbols.length, 'symbol')} of \`${indexed.file}\` from ${serverId}, cached in ${directory}\n`,
    );
  });
}
