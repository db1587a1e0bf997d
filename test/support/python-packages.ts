import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePythonEnvironment } from '../../scripts/support/python-environment.ts';
import { testCache } from '../../scripts/support/test-cache.ts';
import { withLock } from '../../src/base/lock.ts';

const timeoutMs = 300_000;

/**
 * Installs Python packages, as `name==version`, with pip into an environment in the tests' cache, unless it is already
 * there, and returns the absolute path of its Python.
 */
export async function fetchPythonPackages(...packages: readonly string[]): Promise<string> {
  const directory = join(testCache(), `python-${packages.join('-').replaceAll(/[^\w.]+/g, '-')}`);
  const [python, ready] = [join(directory, 'bin/python'), join(directory, 'ready')];
  await withLock(`${directory}.lock`, { timeoutMs }, async () => {
    if (existsSync(ready)) return;
    rmSync(directory, { recursive: true, force: true });
    await makePythonEnvironment(directory, packages);
    writeFileSync(ready, '');
  });
  return python;
}
