// usage: bun scripts/build.ts [--outfile <path>]
// Builds dist/serena: the program, its resources and its runtime in one file.
import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { digestOf, sealOf } from '../src/cli/self-check/self-check.ts';
import { currentTarget, releaseName } from '../src/install/target.ts';
import { releaseBase } from './release/release-base.ts';
import { buildFacts } from './support/build-facts.ts';
import { bytecodeOrder } from './support/bytecode-order.ts';
import { compressGrammars } from './support/compress-grammars.ts';
import { parserDigest } from './support/parser-digest.ts';
import { binaryPath } from './support/paths.ts';
import { readResources } from './support/read-resources.ts';
import { renderMs, run } from './support/run.ts';

/**
 * Flags for compiling every program of this project. The program may be started in a hostile directory: without the four
 * `autoload` flags, its `bunfig.toml` would run scripts in this process and its `.env` would set environment variables.
 */
export const compileFlags: readonly string[] = [
  '--compile',
  '--minify',
  // Halves the time from spawn to the first answer.
  '--bytecode',
  // What a command does not import dynamically is neither read nor evaluated, and the threads share code in the program.
  '--splitting',
  // Most functions of a start run a few times only. Compiling them to machine code, in threads of the runtime, took a third
  // of the processor time to the first answer. Ends after the start (src/base/compile-sooner.ts); does not apply to threads.
  '--compile-jit-policy=100',
  '--format=esm',
  '--no-compile-autoload-bunfig',
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-tsconfig',
  '--no-compile-autoload-package-json',
  // npm's libraries locate it by a path that the bundler would embed, with directories of the build machine. They need it
  // only for install scripts, which never run.
  '--external=node-gyp',
  '--external=node-gyp/*',
  // The same directories: files that libraries look up beside their own are not in the program anyway.
  '--define=__dirname="/"',
];

export interface BuildOptions {
  /** Absolute, or relative to the checkout. The file name is embedded in the program, so releases always use the same one. */
  readonly outfile?: string;
  /** Another platform: its name, Bun's name for it, and the absolute path of its runtime. */
  readonly cross?: { readonly id: string; readonly bun: string; readonly runtime: string };
  /** True if the program gets a signature instead of a seal, which appended bytes would invalidate. */
  readonly isSigned?: boolean;
  /** Base URL of releases, which `serena self update` uses; default: that of the repository in `package.json`, if any. */
  readonly base?: string;
}

/** Builds the program and returns its path. @throws {Error} with the compiler's output if the build fails. */
export async function build(options: BuildOptions = {}): Promise<string> {
  const {
    outfile = binaryPath,
    cross,
    isSigned = process.platform === 'darwin',
    base = releaseBase(undefined),
  } = options;
  mkdirSync(dirname(outfile), { recursive: true });
  compressGrammars();
  const { version, commit, date } = await buildFacts();
  const args = [
    'build',
    ...compileFlags,
    define('SERENA_BUILD_VERSION', version),
    define('SERENA_BUILD_COMMIT', commit),
    define('SERENA_BUILD_DATE', date),
    define('SERENA_BUILD_TARGET', cross?.id ?? releaseName(currentTarget())),
    define('SERENA_BUILD_RELEASES', base),
    define('SERENA_BUILD_PARSER', parserDigest()),
    define('SERENA_BUILD_RESOURCES', digestOf(await readResources())),
    'src/main.ts',
    // Loaded by URL when they are first needed; the bundler does not follow that.
    'src/search/worker.ts',
    'src/syntax/worker.ts',
    'src/project/dependencies/worker.ts',
  ];
  const built = await run(process.execPath, [
    ...args,
    // Not on other systems: macOS starts only signed programs, and releases are built on Linux.
    ...(process.platform === 'linux' ? [`--bytecode-order=${await bytecodeOrder(args)}`] : []),
    ...(cross === undefined ? [] : [`--target=bun-${cross.bun}`, `--compile-executable-path=${cross.runtime}`]),
    `--outfile=${outfile}`,
  ]);
  if (built.exitCode !== 0) throw new Error(`cannot build \`${outfile}\`:\n${built.stdout}${built.stderr}`);
  await seal(outfile, isSigned);
  return outfile;
}

/** Appends the seal for `serena self-check`, or signs the program. A macOS program built elsewhere must be signed later. */
async function seal(outfile: string, isSigned: boolean): Promise<void> {
  if (!isSigned) return appendFileSync(outfile, sealOf(readFileSync(outfile)));
  if (process.platform !== 'darwin') return;
  // The signature that Bun creates is not valid on every processor.
  const signed = await run('codesign', ['--force', '--sign', '-', outfile]);
  if (signed.exitCode !== 0) throw new Error(`cannot sign \`${outfile}\`: ${signed.stderr}`);
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
