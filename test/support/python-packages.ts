import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testCache } from '../../scripts/support/test-cache.ts';
import { withLock } from '../../src/base/lock.ts';

const timeoutMs = 300_000;
const run = promisify(execFile);

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
    await run('python3', ['-m', 'venv', directory]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
    writeFileSync(ready, '');
  });
  return python;
}
