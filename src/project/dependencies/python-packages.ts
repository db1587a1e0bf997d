import { basename, dirname, isAbsolute, join } from 'node:path';
import { tryStat } from '../../base/file-state.ts';
import { realPath, relativeWithin } from '../../base/paths.ts';
import type {
  DependencyProvider,
  DependencyRoot,
  DependentProject,
  MissingDependencies,
} from './dependency-provider.ts';
import { isLink, namesIn, realDirectory } from './directories.ts';
import { linesIn, type ManifestReader, namedPackages } from './manifest-reader.ts';
import { pythonInterpreter } from './python-interpreter.ts';

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
  if (outside.length === 0) return [];
  const reason = `packages in development are outside the project: ${namedPackages(outside)}`;
  return [{ reason, next: 'Open these directories as projects' }];
}

function* addedDirectories(directory: string, manifests: ManifestReader): Generator<string> {
  for (const name of namesIn(directory).filter((one) => one.endsWith('.pth'))) {
    for (const line of linesIn(manifests.textIn(directory, name))) if (isAbsolute(line)) yield line;
  }
}
