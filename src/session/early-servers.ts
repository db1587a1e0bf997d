import { dirname } from 'node:path';
import { isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { ScannedFile } from '../search/scan-protocol.ts';
import type { ActiveServer } from '../servers/assignment/source-files.ts';
import type { ServerPool } from '../servers/runtime/pool.ts';
import type { OpenProject } from './open-projects.ts';

/** Share of the source files from which on a language is one that a project mainly consists of. */
const mainShare = 0.3;

/**
 * Starts the language servers of the languages that a project mainly consists of, one after the other, and asks each for
 * the symbols of a file, because some load the project only then. Fetches nothing: a server that is not on this machine
 * is left out. Nor does it start a server when half of the memory budget is in use. Never rejects.
 */
export async function startMainServers(open: OpenProject, pool: ServerPool, signal: AbortSignal): Promise<void> {
  const { project, sources, files, activation } = open;
  try {
    // It may fetch what the servers need.
    await activation.finished(signal);
    const scope = { extensions: sources.extensions, pruneDirectories: sources.prunedDirectories };
    const listed = await project.scanner.listFiles(scope, signal);
    for (const { server, file } of mainServers(listed, (path) => sources.serverOf(path))) {
      if (!(await pool.isOnThisMachine(server)) || !(await pool.hasRoom())) continue;
      signal.throwIfAborted();
      await files.warmServers.warmUp(server, file, { signal, progress: () => undefined });
    }
  } catch (error) {
    // The first question reports it.
    if (!isExpected(error, 'tool.cancelled')) log('session').debug(`no early start: ${messageOf(error)}`);
  }
}

/** Returns the servers with the largest shares of the source files, each with a file near the root of the project. */
function mainServers(
  listed: readonly ScannedFile[],
  serverOf: (path: string) => ActiveServer | undefined,
): { readonly server: ActiveServer; readonly file: string }[] {
  const byServer = Map.groupBy(listed, ({ path }) => serverOf(path));
  const groups = [...byServer].flatMap(([server, own]) =>
    server === undefined || server.spec.isMarkupOrData === true ? [] : [{ server, own }],
  );
  const count = groups.reduce((sum, { own }) => sum + own.length, 0);
  return groups
    .filter(({ own }) => own.length >= count * mainShare)
    .sort((a, b) => b.own.length - a.own.length)
    .map(({ server, own }) => ({ server, file: nearest(own.map(({ path }) => path)) }));
}

function nearest(paths: readonly string[]): string {
  const depthOf = (path: string) => (dirname(path) === '.' ? 0 : path.split('/').length);
  return paths.reduce((best, path) => (depthOf(path) < depthOf(best) ? path : best));
}
