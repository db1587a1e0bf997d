import type { ActiveServer, SourceFiles } from './source-files.ts';

/** A server with the number of a project's files that belong to it. */
interface ServerShare {
  readonly server: ActiveServer;
  readonly fileCount: number;
}

/**
 * Returns the servers that have files in a project, most files first. `counts` has the number of files of each extension,
 * ignored files left out.
 */
export function detectServers(sources: SourceFiles, counts: Readonly<Record<string, number>>): ServerShare[] {
  const fileCounts = new Map<ActiveServer, number>();
  for (const [extension, count] of Object.entries(counts)) {
    const server = sources.serverOf(`file${extension}`);
    if (server !== undefined) fileCounts.set(server, (fileCounts.get(server) ?? 0) + count);
  }
  const shares = sources.servers.map((server) => ({ server, fileCount: fileCounts.get(server) ?? 0 }));
  return shares.filter(({ fileCount }) => fileCount > 0).sort((a, b) => b.fileCount - a.fileCount);
}
