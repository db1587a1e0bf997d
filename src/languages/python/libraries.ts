import { basename, dirname, isAbsolute, join } from 'node:path';
import { tryStat } from '../../base/file-state.ts';
import { namesIn } from '../../base/files.ts';
import { realPath, relativeWithin } from '../../base/paths.ts';
import type {
  DependencyProvider,
  DependencyRoot,
  DependentProject,
  MissingDependencies,
} from '../../project/dependencies/dependency-provider.ts';
import {
  isLink,
  linesIn,
  type ManifestReader,
  missingPackages,
  programDirectories,
  realDirectory,
} from '../../project/dependencies/manifest-reader.ts';

/** The installed packages of the project's virtual environment, of the active one, or of `python3` on `PATH`. */
export const pythonPackages: DependencyProvider = {
  name: 'python',
  title: 'Python packages',
  extensions: ['.py', '.pyi'],
  // pip and setuptools contain private copies of popular packages.
  skippedDirectories: ['__pycache__', '_vendor'],
  find(project, manifests) {
    const environment = ownEnvironment(project) ?? activeEnvironment(project);
    const directories = environment === undefined ? interpreterPackages(project, manifests) : sitePackages(environment);
    const roots = rootsAt(directories, project);
    const missing = () =>
      roots.length === 0 ? [noPackages(environment)] : packagesElsewhere(roots, project.root, manifests);
    return { roots, missing };
  },
};

/** Returns the environment in the project, even if it is only a link to one. */
function ownEnvironment({ root }: DependentProject): string | undefined {
  const paths = ['.venv', 'venv'].map((name) => join(root, name));
  return paths.find((path) => isLink(path) || isEnvironment(path));
}

function activeEnvironment({ env: { VIRTUAL_ENV = '' } }: DependentProject): string | undefined {
  if (!isAbsolute(VIRTUAL_ENV) || !isEnvironment(VIRTUAL_ENV)) return undefined;
  // Not resolved itself: in a project it may be a link to anywhere.
  return join(realPath(dirname(VIRTUAL_ENV)), basename(VIRTUAL_ENV));
}

function isEnvironment(path: string): boolean {
  return tryStat(join(path, 'pyvenv.cfg')) !== undefined;
}

function interpreterPackages(project: DependentProject, manifests: ManifestReader): string[] {
  const interpreter = pythonInterpreter(project, manifests);
  if (interpreter === undefined) return [];
  const { environment, prefix, version } = interpreter;
  if (isEnvironment(environment)) return sitePackages(environment);
  const { HOME } = project.env;
  return [
    ...(HOME === undefined ? [] : [join(HOME, '.local', 'lib', `python${version}`, 'site-packages')]),
    join(prefix, 'local', 'lib', `python${version}`, 'dist-packages'),
    join(prefix, 'lib', `python${version}`, 'site-packages'),
    join(prefix, 'lib', 'python3', 'dist-packages'),
  ];
}

/** Returns the possible package directories of a virtual environment. */
export function sitePackages(environment: string, platform = process.platform): string[] {
  if (platform === 'win32') return [join(environment, 'Lib', 'site-packages')];
  const versions = namesIn(join(environment, 'lib')).filter((name) => /^python3\.\d+$/.test(name));
  return versions.map((version) => join(environment, 'lib', version, 'site-packages'));
}

/**
 * Returns the directories that exist. What a link leads to must be a directory of packages as well; links of the project
 * count only if it is trusted.
 */
function rootsAt(directories: readonly string[], { root, isTrusted }: DependentProject): DependencyRoot[] {
  return directories.flatMap((directory) => {
    const real = realDirectory(directory);
    if (real === undefined || !/^(?:site|dist)-packages$/.test(basename(real))) return [];
    const mayLink = isTrusted || relativeWithin(root, directory) === undefined;
    return mayLink || real === directory ? [{ directory: real }] : [];
  });
}

function noPackages(environment: string | undefined): MissingDependencies {
  const next = 'Create a virtual environment `.venv` in the project, or ask the user to start with `VIRTUAL_ENV` set';
  if (environment === undefined)
    return { reason: 'no virtual environment and no usable `python3` on `PATH` was found', next };
  const name = basename(environment);
  return { reason: `\`${name}\` contains no packages, or links lead out of the project, which is not trusted`, next };
}

/** Files of the form `name.pth` add directories, such as those of packages in development. */
function packagesElsewhere(
  roots: readonly DependencyRoot[],
  root: string,
  manifests: ManifestReader,
): MissingDependencies[] {
  const added = roots.flatMap(({ directory }) =>
    manifests.firstOf(addedDirectories(directory, manifests), 'directories in `.pth` files'),
  );
  const outside = added.filter((path) => relativeWithin(root, realPath(path)) === undefined);
  const reason = 'packages in development are outside the project:';
  return missingPackages(outside, reason, 'Open these directories as projects');
}

function* addedDirectories(directory: string, manifests: ManifestReader): Generator<string> {
  for (const name of namesIn(directory).filter((one) => one.endsWith('.pth'))) {
    for (const line of linesIn(manifests.textIn(directory, name))) if (isAbsolute(line)) yield line;
  }
}

interface PythonInterpreter {
  /** Absolute path of the directory in which its `bin` is, links not resolved. */
  readonly environment: string;
  /** Absolute real path of the directory in which it is installed. */
  readonly prefix: string;
  /** Such as `3.12`. */
  readonly version: string;
}

/**
 * Returns the interpreter that `python3` on `PATH` is, outside the project; through pyenv the one that it selects.
 * `undefined` if there is none, or if it is a script that selects an interpreter otherwise.
 */
function pythonInterpreter(project: DependentProject, manifests: ManifestReader): PythonInterpreter | undefined {
  for (const directory of programDirectories(project)) {
    if (!namesIn(directory).includes('python3')) continue;
    const environment = dirname(directory);
    if (basename(directory) !== 'shims') return interpreterIn(environment);
    const version = pyenvVersion(environment, project, manifests);
    if (version !== 'system')
      return version === undefined ? undefined : interpreterIn(join(environment, 'versions', version));
  }
  return undefined;
}

function interpreterIn(environment: string): PythonInterpreter | undefined {
  const program = realPath(join(environment, 'bin', 'python3'));
  const version = /^python(3\.\d+)$/.exec(basename(program))?.[1];
  return version === undefined ? undefined : { environment, prefix: dirname(dirname(program)), version };
}

/** Returns the name of the version that pyenv selects; a project may select one of those that the user has installed. */
function pyenvVersion(pyenv: string, { root, env }: DependentProject, manifests: ManifestReader): string | undefined {
  const written = (directory: string, name: string) => manifests.textIn(directory, name).trim();
  const named = env.PYENV_VERSION || written(root, '.python-version') || written(realPath(pyenv), 'version');
  const [wanted = ''] = named.split(/[:\s]/);
  if (wanted === 'system' || wanted === '') return 'system';
  const installed = namesIn(join(pyenv, 'versions'));
  const newestFirst = installed.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return newestFirst.find((one) => one === wanted) ?? newestFirst.find((one) => one.startsWith(`${wanted}.`));
}
