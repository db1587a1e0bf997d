import { readdirSync } from 'node:fs';
import { ExpectedError, isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { createProjectFile, forgetProject, hasProjectFile, registerProject } from '../config/edit-user-config.ts';
import { findKnownProject, isSamePlace, knownProjectsHint } from '../config/known-projects.ts';
import { loadUserConfig } from '../config/user-config.ts';
import type { Project } from '../project/project.ts';
import { detectServers, type SourceFiles } from '../servers/assignment/source-files.ts';
import type { ServerSpec } from '../servers/spec.ts';

// The first call waits for the detection.
const detectionMs = 10_000;

/** A project, and which language server each of its files belongs to. */
interface Remembered {
  readonly project: Project;
  readonly sources: SourceFiles;
}

/**
 * Creates a project's data directory and `project.yml` if it has none, and adds it to the known projects. The file
 * names the main language server, because `serena-agent` finds no symbols without one; `servers`, if not empty,
 * replaces it and is then the complete list. Returns true if `project.yml` was created. A project that cannot be
 * written works without the file.
 *
 * @throws {ExpectedError} `lock.held`; `file.no-permission`, `file.no-space` or `file.not-written` for the list of known projects.
 */
export async function rememberProject(
  open: Remembered,
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
  const { project } = open;
  project.prepareDataDirectory();
  const isNew = !hasProjectFile(project.dataDirectory) && (await tryCreateFile(open, options));
  if (!options.isKnown) await registerProject(options.home, project.root, options.env);
  return isNew;
}

async function tryCreateFile(
  open: Remembered,
  options: { name?: string | undefined; servers?: readonly string[]; mayWalk: boolean },
): Promise<boolean> {
  const { project } = open;
  const { name = project.name, servers = [], mayWalk } = options;
  try {
    createProjectFile(project.dataDirectory, {
      name,
      servers: servers.length > 0 ? servers : mayWalk ? await mainServer(open) : mainServerAtRoot(open),
      hasOtherServers: servers.length === 0,
    });
    return true;
  } catch (error) {
    if (!isExpected(error, 'file.no-permission', 'file.no-space', 'file.not-written')) throw error;
    log('session').warn(error.message);
    return false;
  }
}

async function mainServer({ project, sources }: Remembered): Promise<string[]> {
  try {
    const counts = await project.scanner.extensionCounts(AbortSignal.timeout(detectionMs));
    return detectServers(sources, counts)
      .map(({ server }) => server.spec)
      .filter(isBuiltIn)
      .map(({ id }) => id)
      .slice(0, 1);
  } catch (error) {
    log('session').warn(`cannot determine the main language of \`${project.root}\`: ${messageOf(error)}`);
    return [];
  }
}

/** Returns the server with most files in the root directory, else a server whose project file is there. */
function mainServerAtRoot({ project, sources }: Remembered): string[] {
  const names = readdirSync(project.root).sort();
  const counts = Map.groupBy(
    names.flatMap((name) => sources.serverOf(name)?.spec ?? []).filter(isBuiltIn),
    ({ id }) => id,
  );
  const [byFiles] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  const byMarker = sources.servers.find(
    ({ spec }) =>
      isBuiltIn(spec) &&
      [...(spec.projectMarkers ?? []), ...spec.watchedFiles].some((marker) => names.includes(marker)),
  );
  const main = byFiles?.[0] ?? byMarker?.spec.id;
  return main === undefined ? [] : [main];
}

/** `serena-agent` rejects a project that names a server which only this program has. The user's own need no name. */
function isBuiltIn({ definition }: ServerSpec): boolean {
  return definition === undefined;
}

/**
 * Removes a project, given by name or directory, from the list of known projects and returns its root as listed there.
 * The files of the project are not touched.
 *
 * @throws {ExpectedError} `project.unknown` listing the known names; `project.ambiguous`; `config.invalid`.
 */
export async function forgetKnownProject(
  nameOrPath: string,
  options: { home: string; env: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  const user = await loadUserConfig(options.home);
  const known = await findKnownProject(nameOrPath, user);
  // A project whose directory is gone, or whose configuration is broken, has no name and is found by its path alone.
  const root = known?.root ?? user.projects.find((path) => isSamePlace(path, nameOrPath));
  if (root === undefined) {
    throw new ExpectedError('project.unknown', `no known project is called \`${nameOrPath}\``, {
      hints: [await knownProjectsHint(user)],
    });
  }
  await forgetProject(options.home, root, options.env);
  return root;
}
