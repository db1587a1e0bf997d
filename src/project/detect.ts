import type { ActiveServer } from '../servers/assignment/source-files.ts';
import type { Project } from './project.ts';

/** A server with how many of the project's recognized files are its own. */
export interface ServerShare {
  readonly server: ActiveServer;
  readonly fileCount: number;
}

/**
 * Returns the project's servers that have files in it, most files first. Ignored files do not count (`spec/system.md`
 * §2.5).
 *
 * @throws {ExpectedError} `search.too-slow`; the signal's reason.
 */
export async function detectServers(project: Project, signal: AbortSignal): Promise<ServerShare[]> {
  const counts = await project.scanner.suffixCounts(signal);
  const taken = new Set<string>();
  const shares = project.sources.servers.map((server) => {
    // Of several that claim a suffix the first has the files.
    const own = Object.keys(server.spec.files).filter((suffix) => !taken.has(suffix));
    for (const suffix of own) taken.add(suffix);
    return { server, fileCount: own.reduce((sum, suffix) => sum + (counts[suffix] ?? 0), 0) };
  });
  return shares.filter(({ fileCount }) => fileCount > 0).sort((a, b) => b.fileCount - a.fileCount);
}
