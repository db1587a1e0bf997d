import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { testCache } from '../../scripts/support/test-cache.ts';
import { whyNoProgram } from './skip.ts';

/** About 200 MB are downloaded, which takes 20 s. */
const installTimeoutMs = 180_000;

/**
 * Ensures that `rust-analyzer` on `PATH` works, and returns the reason if it cannot, else `undefined`. If the user's
 * toolchain lacks it, installs a toolchain that has it into the tests' cache and sets `RUSTUP_HOME` of this process to
 * it; the user's own toolchains are not changed.
 */
export function whyNoRustAnalyzer(): string | undefined {
  if (works('rust-analyzer')) return undefined;
  const version = /^rustc (\S+)/.exec(spawnSync('rustc', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  const whyNot = whyNoProgram('rustup', '--version');
  if (whyNot !== undefined) return whyNot;
  if (version === undefined) return '`rustc` is not installed';
  process.env.RUSTUP_HOME = join(testCache(), 'rustup');
  if (works('rust-analyzer')) return undefined;
  console.warn(`Downloading Rust ${version} with rust-analyzer into ${process.env.RUSTUP_HOME}`);
  const components = ['--profile', 'minimal', '-c', 'rust-analyzer', '-c', 'rust-src'];
  const { status, stderr } = spawnSync('rustup', ['toolchain', 'install', '--no-self-update', ...components, version], {
    encoding: 'utf8',
    timeout: installTimeoutMs,
  });
  return status === 0 && works('rust-analyzer')
    ? undefined
    : `rustup cannot install rust-analyzer: ${stderr.trim().split('\n').at(-1)}`;
}

/** Files that make a package of the directory `src`. */
export const cargoProject = { 'Cargo.toml': '[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n' };

/** Returns variables with which rust-analyzer is found, or the reason why it is unavailable. */
export function rustAnalyzer(): { env: Readonly<Record<string, string>>; whyNot: string | undefined } {
  const whyNot = whyNoRustAnalyzer();
  const { RUSTUP_HOME } = process.env;
  return { whyNot, env: RUSTUP_HOME === undefined ? {} : { RUSTUP_HOME } };
}

/**
 * Returns variables with which rust-analyzer finds no sources of the standard library, as on a machine without them: it reads
 * them for most of its start.
 */
export function withoutRustLibrary(): Readonly<Record<string, string>> {
  const sources = join(testCache(), 'no-rust-library');
  mkdirSync(join(sources, 'core'), { recursive: true });
  return { RUST_SRC_PATH: sources };
}

/** As {@link whyNoRustAnalyzer}, also for the formatter of its toolchain. */
export function whyNoRustfmt(): string | undefined {
  const whyNot = whyNoRustAnalyzer();
  if (whyNot !== undefined || works('rustfmt')) return whyNot;
  spawnSync('rustup', ['component', 'add', 'rustfmt'], { timeout: installTimeoutMs });
  return works('rustfmt') ? undefined : 'rustup cannot install rustfmt';
}

function works(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}
