import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from '../../speed/fetch.ts';
import { contenderDirectory } from './contender-directory.ts';

const lombokVersion = '1.18.38';

/** Where the JDT language server of the `jdtls` on `PATH` is, in the form of its releases. */
export interface JdtlsInstallation {
  /** Absolute path of a directory with `plugins` and `config_linux`. */
  readonly directory: string;
  /** Absolute path of the archive of Lombok. */
  readonly lombok: string;
  /** Absolute path of the Java that runs the server. */
  readonly javaHome: string;
}

/**
 * Returns the installation that the launcher `jdtls` starts, for a contender that starts the server itself.
 *
 * @throws {Error} if the launcher on `PATH` is not a script that names the server and its Java
 */
export async function findJdtlsInstallation(): Promise<JdtlsInstallation> {
  const launcher = Bun.which('jdtls');
  if (launcher === null) throw new Error('no `jdtls` on PATH');
  const script = readFileSync(realpathSync(launcher), 'utf8');
  const server = /-jar (\S+)\/plugins\/org\.eclipse\.equinox\.launcher/.exec(script)?.[1];
  const javaHome = /^exec (\S+)\/bin\/java /m.exec(script)?.[1];
  if (server === undefined || javaHome === undefined) throw new Error(`${launcher} does not name its server and Java`);
  const directory = contenderDirectory('jdtls', 'release');
  if (!existsSync(directory)) {
    mkdirSync(directory, { recursive: true });
    symlinkSync(join(server, 'plugins'), join(directory, 'plugins'));
    cpSync(join(server, 'configuration'), join(directory, 'config_linux'), { recursive: true });
  }
  return { directory, lombok: await fetchLombok(), javaHome };
}

async function fetchLombok(): Promise<string> {
  const directory = contenderDirectory('lombok', lombokVersion);
  const archive = join(directory, `lombok-${lombokVersion}.jar`);
  if (existsSync(archive)) return archive;
  mkdirSync(directory, { recursive: true });
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
  const artifact = `-Dartifact=org.projectlombok:lombok:${lombokVersion}`;
  await mustRun('mvn', ['--batch-mode', '--quiet', goal, artifact, '-DoutputDirectory=.'], directory);
  return archive;
}
