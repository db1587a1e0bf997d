import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

const timeoutMs = 180_000;

/**
 * Fetches an npm package with all it depends on, where it is not there already, and returns the absolute path of the directory
 * that holds its `node_modules`. npm does it with its own settings. For tools of hundreds of packages that one test alone
 * uses: they would make every installation of ours slow. `overrides` are npm's, for versions that not every registry has.
 *
 * @throws {Error} with npm's words when it cannot be had.
 */
export async function fetchPackages(
  name: string,
  version: string,
  overrides: Readonly<Record<string, string>> = {},
): Promise<string> {
  const directory = join(tmpdir(), `serena-${name.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '')}-${version}`);
  if (existsSync(directory)) return directory;
  mkdirSync(tmpdir(), { recursive: true });
  const staging = mkdtempSync(`${directory}-staging-`);
  try {
    writeFileSync(join(staging, 'package.json'), JSON.stringify({ private: true, overrides }));
    const flags = ['--ignore-scripts', '--omit=optional', '--engine-strict=false', '--no-audit', '--no-fund'];
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const made = await run(npm, ['install', ...flags, '--loglevel=error', '--save-exact', `${name}@${version}`], {
      cwd: staging,
      timeoutMs,
    });
    if (made.exitCode !== 0) throw new Error(`Cannot fetch \`${name}@${version}\`:\n${made.stderr}`);
    moveUnlessThere(staging, directory);
    return directory;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Another process may have been faster. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}
