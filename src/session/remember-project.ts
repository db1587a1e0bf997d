import { readdirSync } from 'node:fs';
import { isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { createProjectFile, hasProjectFile, registerProject } from '../config/register-project.ts';
import { detectServers } from '../project/detect.ts';
import type { Project } from '../project/project.ts';

// The first call waits for the detection.
const detectionMs = 10_000;

/**
 * Creates a project's data directory and `project.yml` if it has none, and adds it to the known projects. The file
 * names the main language server, because `serena-agent` finds no symbols without one; `servers`, if not empty,
 * replaces it and is then the complete list. Returns true if `project.yml` was created. A project that cannot be
 * written works without the file.
 *
 * @throws {ExpectedError} `lock.held`; system errors for failed writes.
 */
export async function rememberProject(
  project: Project,
  options: {
    home: string;
    env: Readonly<Record<string, string | undefined>>;
    isKnown: boolean;
    name?: string | undefined;
    servers?: readonly string[];
    /** True to count all files; otherwise only the root directory is read, so that a session starts at once. */
    mayWalk: boolean;
  },
): Promise<boolean> {
  project.prepareDataDirectory();
  const isNew = !hasProjectFile(project.dataDirectory) && (await tryCreateFile(project, options));
  if (!options.isKnown) await registerProject(options.home, project.root, options.env);
  return isNew;
}

async function tryCreateFile(
  project: Project,
  options: { name?: string | undefined; servers?: readonly string[]; mayWalk: boolean },
): Promise<boolean> {
  const { name = project.name, servers = [], mayWalk } = options;
  try {
    createProjectFile(project.dataDirectory, {
      name,
      servers: servers.length > 0 ? servers : mayWalk ? await mainServer(project) : mainServerAtRoot(project),
      hasOtherServers: servers.length === 0,
    });
    return true;
  } catch (error) {
    if (!isExpected(error, 'file.no-permission')) throw error;
    log('session').warn(error.message);
    return false;
  }
}

async function mainServer(project: Project): Promise<string[]> {
  try {
    const [main] = await detectServers(project, AbortSignal.timeout(detectionMs));
    return main === undefined ? [] : [main.server.spec.id];
  } catch (error) {
    log('session').warn(`Cannot determine the main language of \`${project.root}\`: ${messageOf(error)}`);
    return [];
  }
}

/** Returns the language server with the most files in the root directory, else one whose marker file is there. */
function mainServerAtRoot({ root, sources }: Project): string[] {
  const names = readdirSync(root).sort();
  const counts = Map.groupBy(
    names.flatMap((name) => sources.serverOf(name) ?? []),
    ({ spec }) => spec.id,
  );
  const [byFiles] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  const byMarker = sources.servers.find(({ spec }) =>
    [...(spec.projectMarkers ?? []), ...spec.watchedFiles].some((marker) => names.includes(marker)),
  );
  const main = byFiles?.[0] ?? byMarker?.spec.id;
  return main === undefined ? [] : [main];
}
