import type { ActiveServer, SourceFiles } from './source-files.ts';

/** A server with the number of a project's files that belong to it. */
export interface ServerShare {
  readonly server: ActiveServer;
  readonly fileCount: number;
}

/**
 * Returns the servers that have files in a project, most files first. `counts` has the number of files of each extension,
 * ignored files left out.
 */
export function detectServers({ servers }: SourceFiles, counts: Readonly<Record<string, number>>): ServerShare[] {
  const taken = new Set<string>();
  const shares = servers.map((server) => {
    // A file belongs to the first of the servers that claim its extension.
    const own = Object.keys(server.spec.files).filter((extension) => !taken.has(extension));
    for (const extension of own) taken.add(extension);
    return { server, fileCount: own.reduce((sum, extension) => sum + (counts[extension] ?? 0), 0) };
  });
  return shares.filter(({ fileCount }) => fileCount > 0).sort((a, b) => b.fileCount - a.fileCount);
}
