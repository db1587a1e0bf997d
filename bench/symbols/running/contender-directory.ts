import { cpSync, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePythonEnvironment } from '../../../scripts/support/python-environment.ts';
import { mustRun } from '../../speed/fetch.ts';
import type { BenchPackage } from '../model.ts';
import { packageKey, symbenchCache } from '../packages.ts';

/** Returns the absolute path of a directory for one contender and version, which survives between runs. */
export function contenderDirectory(name: string, version: string): string {
  return join(symbenchCache, 'contenders', `${name}-${version}`);
}

/** Installs a pinned PyPI package into a virtual environment of its own and returns the path of its `bin`. */
export async function installFromPyPI(name: string, version: string): Promise<string> {
  const directory = contenderDirectory(name, version);
  const bin = join(directory, 'bin');
  if (!existsSync(join(bin, name))) {
    mkdirSync(directory, { recursive: true });
    await makePythonEnvironment(directory, [`${name}==${version}`]);
  }
  return bin;
}

/** Installs a pinned npm package into a directory of its own and returns the path of the program `bin`. */
export async function installFromNpm(name: string, version: string, bin: string): Promise<string> {
  const directory = contenderDirectory(bin, version);
  const program = join(directory, 'node_modules', '.bin', bin);
  if (!existsSync(program)) {
    mkdirSync(directory, { recursive: true });
    const args = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', directory, `${name}@${version}`];
    await mustRun('npm', args, directory);
  }
  return program;
}

/** Returns a new copy of the package, because contenders write settings and indexes into the project. */
export function copyOfPackage(pack: BenchPackage, sources: string, contender: string): string {
  const directory = join(contenderDirectory(contender, 'projects'), packageKey(pack));
  rmSync(directory, { recursive: true, force: true });
  cpSync(sources, directory, { recursive: true, verbatimSymlinks: true });
  for (const foreign of ['.serena', '.codegraph']) rmSync(join(directory, foreign), { recursive: true, force: true });
  // Language servers answer with real paths.
  return realpathSync(directory);
}
