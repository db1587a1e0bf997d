// usage: bun scripts/build.ts [--outfile <path>]
// Makes dist/serena: the program, its resources and its runtime in one file.
import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { digestOf } from '../src/cli/self-check/embedded.ts';
import { sealOf } from '../src/cli/self-check/seal.ts';
import { buildFacts } from './support/build-facts.ts';
import { binaryPath } from './support/paths.ts';
import { readResources } from './support/read-resources.ts';
import { renderMs, run } from './support/run.ts';

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
  // npm's libraries look for it by a path that the bundler would write out, with this machine's directories in it. They only
  // need it to run install scripts, which we never do.
  '--external=node-gyp',
  '--external=node-gyp/*',
  // The same directories: what the libraries look for beside their files is not in the program in any case.
  '--define=__dirname="/"',
];

export interface BuildOptions {
  /** Absolute, or relative to the checkout. Its last part is in the program, so that a release always uses the same. */
  readonly outfile?: string;
  /** Another machine's: Bun's name for it, and the absolute path of the runtime to put the program into. */
  readonly cross?: { readonly bun: string; readonly runtime: string };
  /** Has an own seal, a signature, which bytes at the end would break. */
  readonly isSigned?: boolean;
}

/** Builds the program and returns its path. @throws {Error} with the compiler's words if it cannot be built. */
export async function build(options: BuildOptions = {}): Promise<string> {
  const { outfile = binaryPath, cross, isSigned = process.platform === 'darwin' } = options;
  mkdirSync(dirname(outfile), { recursive: true });
  const { version, commit, date } = await buildFacts();
  const made = await run(process.execPath, [
    'build',
    ...compileFlags,
    ...(cross === undefined ? [] : [`--target=bun-${cross.bun}`, `--compile-executable-path=${cross.runtime}`]),
    define('SERENA_BUILD_VERSION', version),
    define('SERENA_BUILD_COMMIT', commit),
    define('SERENA_BUILD_DATE', date),
    define('SERENA_BUILD_RESOURCES', digestOf(await readResources())),
    'src/main.ts',
    // Loaded by name when a search begins; the bundler does not follow that by itself.
    'src/search/worker.ts',
    `--outfile=${outfile}`,
  ]);
  if (made.exitCode !== 0) throw new Error(`Cannot build \`${outfile}\`:\n${made.stdout}${made.stderr}`);
  await seal(outfile, isSigned);
  return outfile;
}

/** Makes the program able to tell whether it is whole. Elsewhere than on macOS someone has to sign for it later. */
async function seal(outfile: string, isSigned: boolean): Promise<void> {
  if (!isSigned) return appendFileSync(outfile, sealOf(readFileSync(outfile)));
  if (process.platform !== 'darwin') return;
  // The signature that Bun leaves does not hold on every processor.
  const signed = await run('codesign', ['--force', '--sign', '-', outfile]);
  if (signed.exitCode !== 0) throw new Error(`Cannot sign \`${outfile}\`: ${signed.stderr}`);
}

function define(name: string, value: string): string {
  return `--define=process.env.${name}=${JSON.stringify(value)}`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { outfile: { type: 'string' } } });
  const startedAt = performance.now();
  const path = await build(values);
  const megabytes = (statSync(path).size / 1e6).toFixed(1);
  console.log(`Built ${path} (${megabytes} MB) in ${renderMs(performance.now() - startedAt)}`);
}

if (import.meta.main) await main();
