import type { Call } from '../base/call.ts';
import type { ServerPool } from '../servers/runtime/pool.ts';
import type { OpenProject } from './open-projects.ts';

/**
 * Stops the language servers of a project, including hung ones, and restarts those that were running.
 *
 * @throws {ExpectedError} `server.*`, `install.*` for the first that does not start, after all others were started.
 */
export async function restartServers(
  { project, sources, files }: OpenProject,
  servers: ServerPool,
  call: Call,
): Promise<void> {
  const ran = new Set(servers.statusOf(project.root).map(({ id }) => id));
  await servers.stopProject(project.root);
  const again = sources.servers.filter(({ spec }) => ran.has(spec.id));
  const started = await Promise.allSettled(again.map((server) => files.ask(server, call, async () => undefined)));
  for (const outcome of started) if (outcome.status === 'rejected') throw outcome.reason;
}
