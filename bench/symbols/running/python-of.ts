import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/support/paths.ts';
import { makePythonEnvironment } from '../../../scripts/support/python-environment.ts';
import { mustRun } from '../../speed/fetch.ts';
import type { BenchPackage } from '../model.ts';
import { contenderDirectory } from './contender-directory.ts';

/**
 * Returns the Python that runs a package: of a virtual environment of the cache with the libraries that its tests need,
 * or the system's if it needs none.
 */
export async function pythonOf({ name, libraries = [] }: BenchPackage): Promise<string> {
  if (libraries.length === 0) return 'python3';
  const directory = contenderDirectory('python', name.replaceAll(' ', '-'));
  const python = join(directory, 'bin', 'python');
  const mark = join(directory, 'installed');
  if (!existsSync(mark)) {
    await makePythonEnvironment(directory, libraries);
    await mustRun('touch', [mark], root);
  }
  return python;
}
