import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { realPath, relativeWithin } from '../../base/paths.ts';
import type { DependentProject } from './dependency-provider.ts';
import { namesIn } from './directories.ts';
import type { ManifestReader } from './manifest-reader.ts';

/** A Python interpreter. */
export interface PythonInterpreter {
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
export function pythonInterpreter(project: DependentProject, manifests: ManifestReader): PythonInterpreter | undefined {
  const { root, env } = project;
  const directories = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const outside = directories.filter((one) => relativeWithin(root, realPath(one)) === undefined);
  for (const directory of outside) {
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
