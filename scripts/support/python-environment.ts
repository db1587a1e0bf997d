import { join } from 'node:path';
import { run } from './run.ts';

/**
 * Makes a virtual environment in `directory` (absolute) with these packages, by the user's own pip: that of the environment
 * would take longer to install than most packages. @throws {Error} with the output of what failed.
 */
export async function makePythonEnvironment(directory: string, packages: readonly string[]): Promise<void> {
  const python = join(directory, 'bin', 'python');
  // Python compiles what is imported, which is a small part of most packages.
  const flags = ['--quiet', '--disable-pip-version-check', '--no-compile'];
  for (const args of [
    ['venv', '--without-pip', directory],
    ['pip', '--python', python, 'install', ...flags, ...packages],
  ]) {
    const { exitCode, stderr } = await run('python3', ['-m', ...args]);
    if (exitCode !== 0) throw new Error(`\`python3 -m ${args.join(' ')}\` failed: ${stderr.trim()}`);
  }
}
