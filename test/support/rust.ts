import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { sharedHome } from './temp.ts';

/** Some 200 MB are fetched, which takes about 20 s. */
const installTimeoutMs = 180_000;

/**
 * Makes sure that there is a rust-analyzer on `PATH`: where the user's toolchain lacks it, one beside the tests' servers, which
 * `RUSTUP_HOME` then names for this process. The user's own toolchains stay as they are. Returns why there is none, or
 * `undefined`.
 */
export function whyNoRustAnalyzer(): string | undefined {
  if (works('rust-analyzer')) return undefined;
  const version = /^rustc (\S+)/.exec(spawnSync('rustc', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  if (version === undefined || !works('rustup')) return 'Rust is not installed by rustup';
  process.env.RUSTUP_HOME = join(sharedHome(), 'rustup');
  if (works('rust-analyzer')) return undefined;
  const components = ['--profile', 'minimal', '-c', 'rust-analyzer', '-c', 'rust-src'];
  const { status, stderr } = spawnSync('rustup', ['toolchain', 'install', '--no-self-update', ...components, version], {
    encoding: 'utf8',
    timeout: installTimeoutMs,
  });
  return status === 0 && works('rust-analyzer')
    ? undefined
    : `rustup cannot install rust-analyzer: ${stderr.trim().split('\n').at(-1)}`;
}

function works(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}
