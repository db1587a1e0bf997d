import { styled } from '../../base/visible-text.ts';
import { megabytes } from '../../install/failures.ts';
import { catalog } from '../../languages/servers.ts';
import { serversOf } from '../../session/assign-servers.ts';
import type { Environment } from '../environment.ts';
import { loadUser } from '../load-user.ts';
import { tableLines } from '../table.ts';
import { availableStates, describeServer, type ServerDescription } from './describe.ts';
import { printJson, printLines } from './work.ts';

/** Options of `servers list`. */
export interface ListFlags {
  /** Only servers that can start without a download. */
  readonly installed?: boolean;
  readonly json?: boolean;
}

/**
 * Writes all language servers and their state on this machine to stdout.
 *
 * @throws {ExpectedError} `config.invalid`; `install.home-unusable`.
 */
export async function listServers(flags: ListFlags, { env }: Environment): Promise<void> {
  const { home, user } = await loadUser(env);
  const all = await Promise.all(serversOf(user).map((spec) => describeServer(spec, { home, env }, user)));
  const shown = flags.installed ? all.filter(({ state }) => availableStates.includes(state)) : all;
  if (flags.json) return printJson({ servers: shown });
  const [header = '', ...lines] = tableLines([
    ['ID', 'SERVER', 'VERSION', 'STATE', 'SIZE', 'FILES', ''],
    ...shown.map(rowOf),
  ]);
  printLines([styled('bold', header, process.stdout), ...lines]);
}

function rowOf({ id, name, version, state, downloadBytes, extensions, ...others }: ServerDescription): string[] {
  const size = downloadBytes === null ? '' : megabytes(downloadBytes);
  const { needs, license, needsExplicitChoice, missing: absent } = others;
  const missing = needs.filter(({ isHere }) => !isHere).map(({ program }) => program);
  const rule = catalog.find(id)?.standsInFor;
  const depends = rule === undefined ? '' : ` or depends on ${rule.npmPackage} ${rule.fromMajor}`;
  const notes = [
    ...(needsExplicitChoice ? [`only if a project names it${depends}`] : []),
    ...(missing.length === 0 ? [] : [`needs ${missing.join(', ')}`]),
    ...(state === 'to be installed manually' && absent !== null ? [absent.fix] : []),
    ...(license === null ? [] : [`license: ${license}`]),
  ];
  const files = extensions.length > 4 ? [...extensions.slice(0, 3), '…'] : extensions;
  return [id, name, version ?? '', state, size, files.join(' '), notes.join('; ')];
}
