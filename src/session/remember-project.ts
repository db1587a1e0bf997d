import { isExpected, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { createProjectFile, hasProjectFile, registerProject } from '../config/register-project.ts';
import { detectServers } from '../project/detect.ts';
import type { Project } from '../project/project.ts';

// A first call waits for it.
const detectionMs = 10_000;

/**
 * Makes a project known for later: its data directory, a first `project.yml`, and its entry among the known projects. The
 * file names the language server with most files, because `serena-agent` finds no symbols without one; `servers`, if not
 * empty, are used alone instead. Returns whether the project had no `project.yml` before. A project that cannot be written works without one.
 *
 * @throws {ExpectedError} `lock.held`; system errors where something cannot be written.
 */
export async function rememberProject(
  project: Project,
  options: {
    home: string;
    env: Readonly<Record<string, string | undefined>>;
    isKnown: boolean;
    name?: string | undefined;
    servers?: readonly string[];
  },
): Promise<boolean> {
  project.prepareDataFolder();
  const isNew = !hasProjectFile(project.dataFolder) && (await tryCreateFile(project, options));
  if (!options.isKnown) await registerProject(options.home, project.root, options.env);
  return isNew;
}

async function tryCreateFile(
  project: Project,
  { name = project.name, servers = [] }: { name?: string | undefined; servers?: readonly string[] },
): Promise<boolean> {
  try {
    createProjectFile(project.dataFolder, {
      name,
      servers: servers.length > 0 ? servers : await mainServer(project),
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
    log('session').warn(`Cannot find out the main language of \`${project.root}\`: ${messageOf(error)}`);
    return [];
  }
}
