import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../src/base/lock.ts';
import { run } from './run.ts';
import { testCache } from './test-cache.ts';

const timeoutMs = 180_000;

/**
 * Installs an npm package with its dependencies into the tests' cache, unless it is already there, and returns the absolute
 * path of the directory that holds its `node_modules`. npm uses its own configuration. For tools of hundreds of packages
 * that a few tests use: as development dependencies they would slow down every installation of this project. `overrides`
 * are npm's, for versions that not every registry has. Processes that need the same package wait for one another.
 *
 * @throws {Error} with npm's output if the package cannot be installed.
 */
export async function fetchPackages(
  name: string,
  version: string,
  overrides: Readonly<Record<string, string>> = {},
): Promise<string> {
  const directory = join(testCache(), `${name.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '')}-${version}`);
  if (existsSync(directory)) return directory;
  await withLock(`${directory}.lock`, { timeoutMs }, async () => {
    if (!existsSync(directory)) await installInto(directory, `${name}@${version}`, overrides);
  });
  return directory;
}

async function installInto(
  directory: string,
  spec: string,
  overrides: Readonly<Record<string, string>>,
): Promise<void> {
  const staging = mkdtempSync(`${directory}-staging-`);
  try {
    writeFileSync(join(staging, 'package.json'), JSON.stringify({ private: true, overrides }));
    const flags = ['--ignore-scripts', '--omit=optional', '--engine-strict=false', '--no-audit', '--no-fund'];
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const install = ['install', ...flags, '--loglevel=error', '--save-exact', spec];
    const { exitCode, stderr } = await run(npm, install, { cwd: staging, timeoutMs });
    if (exitCode !== 0) throw new Error(`cannot install \`${spec}\`:\n${stderr}`);
    renameSync(staging, directory);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
