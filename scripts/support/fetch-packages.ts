import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

const timeoutMs = 180_000;

/**
 * Installs an npm package and its dependencies into a temporary directory, unless they are there, and returns the absolute
 * path of the directory with its `node_modules`. For tools of hundreds of packages that a single test uses, which would
 * slow down every `npm ci`. `overrides` are npm's, for versions that not every registry has.
 *
 * @throws {Error} with npm's output if the installation fails.
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
    const installed = await run(npm, ['install', ...flags, '--loglevel=error', '--save-exact', `${name}@${version}`], {
      cwd: staging,
      timeoutMs,
    });
    if (installed.exitCode !== 0) throw new Error(`Cannot install \`${name}@${version}\`:\n${installed.stderr}`);
    moveUnlessThere(staging, directory);
    return directory;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Renames `from` to `to`, unless another process was faster. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}
