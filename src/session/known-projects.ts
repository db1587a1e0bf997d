import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { SettingsFile } from '../config/change-setting.ts';
import {
  firstProjectText,
  forgetProject,
  hasProjectFile,
  registerProject,
  writeProjectFile,
} from '../config/edit-user-config.ts';
import { findKnownProject, isSamePlace, knownProjectsHint } from '../config/known-projects.ts';
import { dataOf } from '../config/trust.ts';
import { loadUserConfig, type UserConfig } from '../config/user-config.ts';
import { Project } from '../project/project.ts';
import { detectServers, type SourceFiles } from '../servers/assignment/source-files.ts';
import type { ServerSpec } from '../servers/spec.ts';
import { assignServers } from './assign-servers.ts';

/** A command waits for the detection. */
const detectionMs = 10_000;

/** A project, and which language server each of its files belongs to. */
interface Remembered {
  readonly project: Project;
  readonly sources: SourceFiles;
}

interface HomeOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly user: UserConfig;
}

/**
 * Adds a project to the known projects, and writes nothing into the project. Returns true if it is new: not known, and
 * without a `project.yml`.
 *
 * @throws {ExpectedError} `lock.held`; `file.no-permission`, `file.no-space` or `file.not-written`.
 */
export async function rememberProject({ project }: Remembered, { home, env, user }: HomeOptions): Promise<boolean> {
  if (user.projects.includes(project.root)) return false;
  await registerProject(home, project.root, env);
  return !hasProjectFile(project.dataDirectory);
}

/** The first settings of a project; see {@link firstText}. */
interface Chosen {
  readonly name?: string | undefined;
  readonly servers?: readonly string[];
}

/**
 * Writes the `project.yml` of a project that has none, and adds the project to the known projects.
 *
 * @throws {ExpectedError} as {@link rememberProject}.
 */
export async function createProject(open: Remembered, options: HomeOptions & Chosen): Promise<void> {
  writeProjectFile(open.project.dataDirectory, 'project.yml', await firstText(open, options));
  await rememberProject(open, options);
}

/**
 * Returns the text of a new `project.yml`. It names the main language server, because `serena-agent` finds no symbols
 * without one; `servers`, if not empty, replaces it and is then the complete list.
 */
export async function firstText(open: Remembered, { name = open.project.name, servers = [] }: Chosen = {}) {
  const isDetected = servers.length === 0;
  return firstProjectText({
    name,
    servers: isDetected ? await mainServer(open) : servers,
    hasOtherServers: isDetected,
  });
}

/** Returns the file with a project's own settings; `root` is absolute. @throws {ExpectedError} `config.invalid`. */
export function projectSettingsFile(
  of: 'project' | 'local',
  root: string,
  options: { home: string; user: UserConfig; workerUrl: URL },
): SettingsFile {
  const firstTextOfRoot = async () => {
    await using project = await Project.open(root, options);
    return await firstText({ project, sources: assignServers(project, options.user) });
  };
  return { of, root, data: dataOf(root, options.user), firstText: firstTextOfRoot };
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
