import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { downloadFailed, forbidden, megabytes, prefetchHints, writeFailure } from '../failures.ts';
import { algorithmOf, hexDigest, integrityOfFile, unverified } from '../lock/integrity.ts';
import type { Artifact, Origin } from '../source/artifact.ts';
import { findBlob, keepAsBlob } from '../store/blobs.ts';
import { prepareDirectories } from '../store/layout.ts';
import { stagingDirectory } from '../store/staging.ts';
import { buildGoArtifact } from './go.ts';
import type { FetchContext } from './job.ts';
import { isOffline } from './network.ts';
import { fetchFromNpm } from './npm.ts';
import { failureReason, runTool } from './tools.ts';
import { fetchFromMirror, fetchFromUrl } from './url.ts';
import { VerifiedFile } from './verified-file.ts';

/** The file that a download is written to. */
interface FetchTarget {
  /** Absolute path of a file that does not exist yet. */
  readonly path: string;
  /** True to sync the file to disk at the end. */
  readonly isSynced?: boolean;
  /** Called with the number of bytes received so far. */
  onReceived?(receivedBytes: number): void;
}

/**
 * Returns the absolute path of the artifact's verified blob, in a store or below SERENA_HOME. Fetches the artifact if
 * neither has it.
 *
 * @throws {ExpectedError} `install.*`; `config.invalid` for unusable network settings; the signal's reason once it
 *   aborts.
 */
export async function fetchBlob(artifact: Artifact, context: FetchContext): Promise<string> {
  const found = await verifiedBlob(artifact, context);
  if (found !== undefined) return found;
  const directories = prepareDirectories(context.home);
  const scratch = stagingDirectory(directories.staging);
  const path = join(scratch, 'blob');
  try {
    mkdirSync(scratch);
    await fetchTo(artifact, { path, isSynced: true, onReceived: progressReporter(artifact, context) }, context);
    return keepAsBlob(path, context.home, artifact.integrity);
  } catch (error) {
    throw writeFailure(error, context, artifact.sizeBytes);
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Returns the absolute path of the artifact's blob in a store or below SERENA_HOME after verifying its hash, or
 * `undefined` if there is none.
 *
 * @throws {ExpectedError} `install.hash-mismatch` for a blob whose content does not match its name.
 */
export async function verifiedBlob({ title, integrity }: Artifact, context: FetchContext): Promise<string | undefined> {
  const path = integrity === unverified ? undefined : findBlob(context, integrity);
  if (path === undefined) return undefined;
  const found = await integrityOfFile(path, integrity);
  if (found === integrity) return path;
  const message = `cannot use \`${path}\` for \`${title}\`: its content has changed\n  expected: ${integrity}\n  found:    ${found}`;
  throw new ExpectedError('install.hash-mismatch', message, {
    hints: [`remove \`${path}\`, so that it is downloaded again`],
  });
}

/**
 * Fetches the artifact into a new, verified file: from the user's mirror by hash, else from its origin. A wrong hash is
 * an error; no other source is tried then.
 *
 * @throws {ExpectedError} like `fetchBlob`.
 */
export async function fetchTo(artifact: Artifact, target: FetchTarget, context: FetchContext): Promise<void> {
  requireNetwork([artifact], context);
  await writeVerified(artifact, target, async (file) => {
    const isFetched = await fetchFromMirror(artifact, file, context);
    if (!isFetched) await fetchFromOrigin(artifact, { file, scratch: `${target.path}.d` }, context);
    return true;
  });
}

/**
 * Fetches the artifact from the user's mirror. Returns false if there is no mirror or it does not have the artifact.
 */
export async function fetchFromMirrorTo(
  artifact: Artifact,
  target: FetchTarget,
  context: FetchContext,
): Promise<boolean> {
  if (isOffline(context.env)) return false;
  let isFetched = false;
  await writeVerified(artifact, target, async (file) => {
    isFetched = await fetchFromMirror(artifact, file, context);
    return isFetched;
  });
  return isFetched;
}

/**
 * @throws {ExpectedError} `install.download-failed`, naming all `missing` artifacts, if the user disabled downloads.
 */
export function requireNetwork(missing: readonly Artifact[], context: FetchContext): void {
  if (isOffline(context.env)) throw forbidden(missing, '`SERENA_OFFLINE` is set', context);
}

/** Finishes the file if `work` returns true, and removes it otherwise. */
async function writeVerified(
  artifact: Artifact,
  target: FetchTarget,
  work: (file: VerifiedFile) => Promise<boolean>,
): Promise<void> {
  const file = new VerifiedFile(artifact, target.path, (receivedBytes) => target.onReceived?.(receivedBytes));
  try {
    if (!(await work(file))) return file.discard();
  } catch (error) {
    file.discard();
    throw error;
  }
  file.finish({ isSynced: target.isSynced ?? false });
}

interface Sink {
  readonly file: VerifiedFile;
  /** Absolute path of a directory that does not exist yet. */
  readonly scratch: string;
}

async function fetchFromOrigin(artifact: Artifact, { file, scratch }: Sink, context: FetchContext): Promise<void> {
  const { origin } = artifact;
  switch (origin.kind) {
    case 'npm':
      return fetchFromNpm(artifact, origin, file, context);
    case 'url':
      return fetchFromUrl(origin.url, artifact, file, context);
    case 'pypi':
      return writeMade({ file, scratch }, () => fetchFromPypi(artifact, origin, scratch, context));
    case 'go':
      return writeMade({ file, scratch }, () => buildGoArtifact(artifact, origin, scratch, context));
  }
}

/** Writes the file that `make` creates in the scratch directory, whose absolute path it returns. */
async function writeMade({ file, scratch }: Sink, make: () => Promise<string>): Promise<void> {
  mkdirSync(scratch);
  try {
    await file.writeFrom(await make());
  } finally {
    // Go makes downloaded modules read-only, but those are in the module cache, not here.
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

function progressReporter({ title, sizeBytes }: Artifact, context: FetchContext): (receivedBytes: number) => void {
  const size = sizeBytes === undefined ? '' : ` (${megabytes(sizeBytes)})`;
  return (done) =>
    context.report({
      message: `Downloading ${title}${size}`,
      done,
      ...(sizeBytes === undefined ? {} : { total: sizeBytes }),
    });
}

type Wheel = Extract<Origin, { kind: 'pypi' }>;
type Pip = readonly [program: string, ...args: string[]];

/**
 * Downloads a wheel into `directory` (absolute, empty) with the user's pip, according to pip's configuration of indexes,
 * proxies, authorities and passwords. Returns the absolute path of the wheel.
 *
 * @throws {ExpectedError} `install.runtime-missing` without pip; `install.download-failed`.
 */
async function fetchFromPypi(
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
