import type { ActiveServer } from '../servers/assignment/source-files.ts';
import type { Project } from './project.ts';

/** A language server and the number of the project's files that are assigned to it. */
export interface ServerShare {
  readonly server: ActiveServer;
  readonly fileCount: number;
}

/**
 * Returns the language servers with files in the project, most files first. Ignored files are not counted: see
 * docs/compatibility.md, Language detection.
 *
 * @throws {ExpectedError} `search.too-slow`; the signal's reason.
 */
export async function detectServers(project: Project, signal: AbortSignal): Promise<ServerShare[]> {
  const counts = await project.scanner.suffixCounts(signal);
  const assigned = new Set<string>();
  const shares = project.sources.servers.map((server) => {
    // The first server that claims a file extension gets its files.
    const own = Object.keys(server.spec.files).filter((suffix) => !assigned.has(suffix));
    for (const suffix of own) assigned.add(suffix);
    return { server, fileCount: own.reduce((sum, suffix) => sum + (counts[suffix] ?? 0), 0) };
  });
  return shares.filter(({ fileCount }) => fileCount > 0).sort((a, b) => b.fileCount - a.fileCount);
}
