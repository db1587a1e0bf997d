import { basename, dirname, isAbsolute, join } from 'node:path';
import { tryStat } from '../../base/file-state.ts';
import { namesIn } from '../../base/files.ts';
import { realPath } from '../../base/paths.ts';
import type {
  DependencyArchive,
  DependencyProvider,
  DependentProject,
  MissingDependencies,
} from '../../project/dependencies/dependency-provider.ts';
import {
  type ManifestReader,
  missingPackages,
  programDirectories,
  realDirectory,
} from '../../project/dependencies/manifest-reader.ts';
import { type Coordinates, elementsAt, idOf, type MavenArtifacts, MavenResolution, parseXml } from './maven.ts';

/**
 * The sources of the JDK, `<java>/java.base/java/util/List.java`, and of the artifacts that Maven has in its local
 * repository with their sources, `<java>/org.slf4j:slf4j-api:2.0.9/org/slf4j/Logger.java`.
 */
export const javaSources: DependencyProvider = {
  name: 'java',
  title: 'Java libraries',
  extensions: ['.java'],
  skippedDirectories: [],
  find(project, manifests) {
    const jdk = jdkSources(project);
    const repository = localRepository(project.env, manifests);
    const { artifacts, unresolved, unread } = resolve(project.root, repository, manifests);
    const own = artifacts.map((artifact) => ({ artifact, archive: sourcesOf(artifact, repository) }));
    const archives = own.flatMap(({ archive }) => archive ?? []);
    return {
      roots: [],
      archives: 'archive' in jdk ? [...archives, jdk.archive] : archives,
      missing: () => [
        ...('archive' in jdk ? [] : [jdk]),
        ...missingPackages(
          own.filter(({ archive }) => archive === undefined).map(({ artifact }) => idOf(artifact)),
          "Maven's local repository has no sources of",
          'Run `mvn dependency:sources`',
        ),
        ...missingPackages(unread, "Maven's local repository does not contain", 'Run `mvn dependency:resolve`'),
        ...missingPackages(unresolved, 'only Maven knows the versions of', 'Give them versions in `pom.xml`'),
        ...ofGradle(project.root),
      ],
    };
  },
};

/** Returns the archive with the sources of the JDK in `JAVA_HOME`, or of that whose `java` is on `PATH`. */
function jdkSources(project: DependentProject): { archive: DependencyArchive } | MissingDependencies {
  const { JAVA_HOME } = project.env;
  const given = JAVA_HOME && isAbsolute(JAVA_HOME) ? JAVA_HOME : jdkOnPath(project);
  const home = given === undefined ? undefined : realDirectory(given);
  if (home === undefined) {
    return { reason: 'no JDK was found', next: 'Ask the user to start with `JAVA_HOME` set' };
  }
  const found = [join(home, 'lib', 'src.zip'), join(home, 'src.zip')].map(realPath).find(isFile);
  if (found !== undefined) return { archive: { prefix: '', root: dirname(found), path: basename(found) } };
  return {
    reason: `the JDK in \`${home}\` has no \`lib/src.zip\``,
    next: 'Install the sources of the JDK, in Debian the package `openjdk-<version>-source`, or set `JAVA_HOME`',
  };
}

/** Returns the directory that contains `bin/javac` or `bin/java`, as found on `PATH` outside the project. */
function jdkOnPath(project: DependentProject): string | undefined {
  for (const directory of programDirectories(project)) {
    const program = ['javac', 'java'].find((name) => namesIn(directory).includes(name));
    if (program !== undefined) return dirname(dirname(realPath(join(directory, program))));
  }
  return undefined;
}

function isFile(path: string): boolean {
  return tryStat(path)?.isFile() === true;
}

/** Returns Maven's local repository: that of the user's settings, or the default one. */
function localRepository({ HOME }: DependentProject['env'], manifests: ManifestReader): string | undefined {
  if (HOME === undefined || !isAbsolute(HOME)) return undefined;
  const directory = realDirectory(join(HOME, '.m2'));
  const settings = directory === undefined ? '' : manifests.textIn(directory, 'settings.xml');
  const [named] = elementsAt(parseXml(settings), 'settings', 'localRepository');
  const path = named?.text.trim().replaceAll('${user.home}', HOME) || join(HOME, '.m2', 'repository');
  return isAbsolute(path) ? realDirectory(path) : undefined;
}

function resolve(root: string, repository: string | undefined, manifests: ManifestReader): MavenArtifacts {
  return new MavenResolution({
    readInProject: (path) => manifests.textIn(root, path),
    readInRepository: (artifact) =>
      repository === undefined ? '' : manifests.textIn(repository, pathOf(artifact, '.pom')),
    leaveOut: (reason) => manifests.leaveOut(reason),
  }).resolve();
}

function pathOf({ group, artifact, version }: Coordinates, ending: string): string {
  return join(...group.split('.'), artifact, version, `${artifact}-${version}${ending}`);
}

/** That no link leads out of the repository is checked when the archive is opened. */
function sourcesOf(artifact: Coordinates, repository: string | undefined): DependencyArchive | undefined {
  if (repository === undefined) return undefined;
  const path = pathOf(artifact, '-sources.jar');
  return isFile(join(repository, path)) ? { prefix: idOf(artifact), root: repository, path } : undefined;
}

function ofGradle(root: string): MissingDependencies[] {
  const isGradle = namesIn(root).some((name) => /^(?:build|settings)\.gradle(?:\.kts)?$/.test(name));
  if (!isGradle) return [];
  const reason = 'which libraries a build of Gradle uses is known to Gradle only';
  return [{ reason, next: 'Search the project for uses of the library with `search_for_pattern`' }];
}
