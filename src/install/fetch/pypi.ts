import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { downloadFailed, prefetchHints } from '../failures.ts';
import { algorithmOf, hexDigest, unverified } from '../lock/integrity.ts';
import type { Artifact, Origin } from '../source/artifact.ts';
import type { FetchContext } from './job.ts';
import { failureReason, runTool } from './tools.ts';

type Wheel = Extract<Origin, { kind: 'pypi' }>;
type Pip = readonly [program: string, ...args: string[]];

/**
 * Downloads a wheel into `directory` (absolute, empty) with the user's pip, according to pip's configuration of indexes,
 * proxies, authorities and passwords. Returns the absolute path of the wheel.
 *
 * @throws {ExpectedError} `install.runtime-missing` without pip; `install.download-failed`.
 */
export async function fetchFromPypi(
  artifact: Artifact,
  wheel: Wheel,
  directory: string,
  context: FetchContext,
): Promise<string> {
  const env = { ...context.env, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' };
  const tool = { cwd: directory, env, signal: context.signal };
  const [program, ...before] = await findPip(tool, context, artifact);
  context.report({ message: `Downloading ${artifact.title} with pip` });
  writeFileSync(join(directory, 'requirements.txt'), `${requirement(artifact, wheel)}\n`);
  const wheels = join(directory, 'wheels');
  mkdirSync(wheels);
  const args = ['-r', 'requirements.txt', '-d', wheels, '--no-deps', '--no-cache-dir', ...compatibility(wheel)];
  const ended = await runTool(program, [...before, 'download', ...args], tool);
  const [name] = readdirSync(wheels);
  if (ended.code === 0 && name !== undefined) return join(wheels, name);
  throw downloadFailed(artifact.title, context, {
    reason: failureReason('pip download', ended),
    hints: ["check pip's index, proxy and certificates with `pip config list`"],
  });
}

/** Returns the line of a requirements file that pins this wheel. */
function requirement({ integrity }: Artifact, { name, version }: Wheel): string {
  const hash = integrity === unverified ? '' : ` --hash=${algorithmOf(integrity)}:${hexDigest(integrity)}`;
  return `${name}==${version}${hash}`;
}

/**
 * Returns the options that make pip select the wheel for the platform in its file name, not for the current one. The
 * name ends with the Python, ABI and platform tags, each of which can be a list separated by dots.
 */
function compatibility({ file }: Wheel): readonly string[] {
  const [pythons = 'py3', interfaces = 'none', platforms = 'any'] = file
    .replace(/\.whl$/, '')
    .split('-')
    .slice(-3);
  const python = pythons.split('.').at(-1) ?? 'py3';
  const [, implementation = 'py', version = '3'] = /^([a-z]+)(\d+)/.exec(python) ?? [];
  const options = [
    '--only-binary=:all:',
    '--ignore-requires-python',
    `--implementation=${implementation}`,
    `--python-version=${version}`,
  ];
  return [
    ...options,
    ...interfaces.split('.').map((tag) => `--abi=${tag}`),
    ...platforms.split('.').map((tag) => `--platform=${tag}`),
  ];
}

async function findPip(tool: Parameters<typeof runTool>[2], context: FetchContext, { title }: Artifact): Promise<Pip> {
  const candidates: readonly Pip[] = [
    ['python3', '-m', 'pip'],
    ['python', '-m', 'pip'],
    ['py', '-3', '-m', 'pip'],
    ['pip3'],
    ['pip'],
    ['uv', 'tool', 'run', 'pip'],
  ];
  for (const [name, ...args] of candidates) {
    const program = findProgram(name, context.env);
    if (program === undefined) continue;
    const { code } = await runTool(program, [...args, '--version'], tool);
    if (code === 0) return [program, ...args];
  }
  throw new ExpectedError(
    'install.runtime-missing',
    `cannot download ${title}: Python packages need \`pip\` or \`uv\`, and neither is on \`PATH\``,
    { hints: ['install Python 3 with pip, or uv, and put it on `PATH`', ...prefetchHints(context)] },
  );
}
