// usage: bun scripts/build.ts [--outfile <path>]
// Makes dist/serena: the program, its resources and its runtime in one file.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { binaryPath } from './support/paths.ts';
import { renderMs, run } from './support/run.ts';
import { readSource } from './support/tracked-files.ts';

/**
 * How every program of this project is compiled. A directory that the program is started in may be hostile: without
 * the four `autoload` flags its `bunfig.toml` would run scripts in our process and its `.env` would set our variables.
 */
export const compileFlags: readonly string[] = [
  '--compile',
  '--minify',
  // Halves the time from spawn to the first answer.
  '--bytecode',
  '--format=esm',
  '--no-compile-autoload-bunfig',
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-tsconfig',
  '--no-compile-autoload-package-json',
];

const Package = z.object({ version: z.string() });

async function commit(): Promise<string> {
  const head = await run('git', ['rev-parse', '--short=8', 'HEAD']);
  if (head.exitCode !== 0) return '';
  const changes = await run('git', ['status', '--porcelain', '--untracked-files=no']);
  return `${head.stdout.trim()}${changes.stdout.trim() === '' ? '' : '-dirty'}`;
}

/** Builds the program and returns its absolute path. @throws {Error} with the compiler's words if it cannot be built. */
export async function build(outfile: string = binaryPath): Promise<string> {
  const { version } = Package.parse(JSON.parse(readSource('package.json')));
  mkdirSync(dirname(outfile), { recursive: true });
  const made = await run(process.execPath, [
    'build',
    ...compileFlags,
    `--define=process.env.SERENA_BUILD_VERSION=${JSON.stringify(version)}`,
    `--define=process.env.SERENA_BUILD_COMMIT=${JSON.stringify(await commit())}`,
    'src/main.ts',
    // Loaded by name when a search begins; the bundler does not follow that by itself.
    'src/worker.ts',
    `--outfile=${outfile}`,
  ]);
  if (made.exitCode !== 0) throw new Error(`Cannot build \`${outfile}\`:\n${made.stdout}${made.stderr}`);
  return outfile;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { outfile: { type: 'string' } } });
  const startedAt = performance.now();
  const path = await build(values.outfile);
  const megabytes = (statSync(path).size / 1e6).toFixed(1);
  console.log(`Built ${path} (${megabytes} MB) in ${renderMs(performance.now() - startedAt)}`);
}

if (import.meta.main) await main();
