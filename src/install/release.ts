import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gt, valid } from 'semver';
import { z } from 'zod';
import { attempt } from '../base/attempt.ts';
import { ExpectedError } from '../base/errors.ts';
import { HttpFailure } from './fetch/download.ts';
import type { FetchContext } from './fetch/job.ts';
import { isOffline } from './fetch/network.ts';
import { downloadAddress } from './fetch/url.ts';
import { VerifiedFile } from './fetch/verified-file.ts';
import { parseIntegrity, unverified } from './lock/integrity.ts';
import { currentTarget, targetName } from './target.ts';
import { unpackTar } from './unpack/tar.ts';
import { Tree } from './unpack/tree.ts';
import { unpackZip } from './unpack/zip.ts';

/** Context of downloads of this program. `env` has the network settings. */
export type ReleaseContext = Pick<FetchContext, 'env' | 'signal'>;

/** A file of a release, with the hash that the release publishes for it. */
interface ReleaseFile {
  readonly name: string;
  readonly url: string;
  readonly integrity: string;
}

const Index = z.looseObject({ version: z.string().refine((version) => valid(version) === version) });

/**
 * Returns the base URL of releases without a trailing `/`: `SERENA_BASE_URL`, else `builtIn`, which the program was built
 * with (empty: unknown).
 *
 * @throws {ExpectedError} `config.invalid` if there is none, or if the connection to it would not be secure: the hashes come
 *   from the same place as the program.
 */
export function releaseBase(env: ReleaseContext['env'], builtIn: string): string {
  const base = ((env.SERENA_BASE_URL?.trim() ?? '') || builtIn).replace(/\/+$/, '');
  if (base === '') {
    throw new ExpectedError('config.invalid', 'this program was built without the address of its releases', {
      hints: ['set `SERENA_BASE_URL` to the URL with the directories `v<version>`'],
    });
  }
  const url = URL.canParse(base) ? new URL(base) : undefined;
  const isLoopback = url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || isLoopback) return base;
  throw new ExpectedError('config.invalid', 'cannot use `SERENA_BASE_URL`: it must be an https URL', {
    hints: ['hashes and program would come over an open connection: use an address that begins with `https://`'],
  });
}

/**
 * Returns the newest published version.
 *
 * @throws {ExpectedError} `install.download-failed`, also if `SERENA_OFFLINE` is set.
 */
export async function latestVersion(base: string, context: ReleaseContext): Promise<string> {
  const url = latestIndex(base);
  const text = await fetchText(url, context);
  const index = Index.safeParse(jsonOf(text));
  if (index.success) return index.data.version;
  throw new ExpectedError('install.download-failed', `\`${url}\` does not name a version`, {
    hints: ['pass the version with `--version`', 'check `SERENA_BASE_URL`'],
  });
}

/** True if `version` is newer than `other`, by the rules of semantic versioning. */
export function isNewer(version: string, other: string): boolean {
  return gt(version, other);
}

/**
 * Returns the first of the files `names` that the release of `version` has, with its hash from the release's `SHA256SUMS`.
 *
 * @throws {ExpectedError} `install.download-failed` if the version or the files do not exist.
 */
export async function releaseFile(
  { base, version }: { readonly base: string; readonly version: string },
  names: readonly string[],
  context: ReleaseContext,
): Promise<ReleaseFile> {
  const directory = `${base}/v${version}`;
  const lines = (await fetchText(`${directory}/SHA256SUMS`, context)).split('\n');
  const sums = new Map(lines.map((line): [string, string] => [line.slice(66).trim(), line.slice(0, 64)]));
  for (const name of names) {
    const integrity = parseIntegrity(sums.get(name) ?? '');
    if (integrity !== undefined) return { name, url: `${directory}/${name}`, integrity };
  }
  throw new ExpectedError('install.download-failed', `version ${version} has no program for this platform`, {
    hints: [`\`${directory}/SHA256SUMS\` lists none of: ${names.join(', ')}`],
  });
}

/**
 * Downloads a file of a release to the absolute `path`, which must not exist, and verifies it.
 *
 * @throws {ExpectedError} `install.download-failed`; `install.hash-mismatch`, and then nothing is kept.
 */
export async function fetchReleaseFile(
  { name, url, integrity }: ReleaseFile,
  path: string,
  { onReceived, ...context }: ReleaseContext & { onReceived?(receivedBytes: number): void },
): Promise<void> {
  if (isOffline(context.env)) {
    throw new ExpectedError('install.download-failed', `cannot download \`${url}\`: \`SERENA_OFFLINE\` is set`, {
      hints: ['unset `SERENA_OFFLINE`', 'copy the program from a machine with a network'],
    });
  }
  // A network that the user trusts with language servers, whose hashes are pinned, is not trusted with unpinned ones.
  const env = { ...context.env, SERENA_ALLOW_HTTP: undefined };
  const file = new VerifiedFile({ title: name, integrity, sizeBytes: undefined }, path, onReceived);
  try {
    await downloadAddress(url, file, { ...context, env });
  } catch (error) {
    file.discard();
    if (!(error instanceof HttpFailure)) throw error;
    const hint = error.hint ?? 'check the network, the proxy, the version and `SERENA_BASE_URL`';
    throw new ExpectedError('install.download-failed', `cannot download \`${name}\`: ${error.message}`, {
      hints: [hint],
      cause: error,
    });
  }
  file.finish({ isSynced: true });
}

/** GitHub serves the files of the newest release under an address of its own; elsewhere it is a directory `latest`. */
function latestIndex(base: string): string {
  const [, repository] = /^(.+)\/releases\/download$/.exec(base) ?? [];
  return repository === undefined
    ? `${base}/latest/release.json`
    : `${repository}/releases/latest/download/release.json`;
}

async function fetchText(url: string, context: ReleaseContext): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'serena-release-'));
  try {
    const path = join(scratch, 'file');
    await fetchReleaseFile({ name: url, url, integrity: unverified }, path, context);
    return readFileSync(path, 'utf8');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function jsonOf(text: string): unknown {
  return attempt(() => JSON.parse(text), undefined);
}

/** A machine that scans new programs may take seconds. */
const startTimeoutMs = 60_000;

/** Returns the names of the archives for this platform in a release, the preferred one first. */
export function archiveNames(target = currentTarget()): readonly string[] {
  // Windows on ARM runs programs for x64.
  if (target.os === 'win32') return ['serena-windows-x64.zip'];
  return ['tar.xz', 'tar.gz'].map((extension) => `serena-${targetName(target)}.${extension}`);
}

/**
 * Unpacks the program, and nothing else, from the archive at `path` (absolute) into `directory`. Returns the absolute path of
 * the program.
 *
 * @throws {ExpectedError} `install.failed` if the archive is not valid or has no program.
 */
export async function unpackProgram(
  path: string,
  directory: string,
  signal: AbortSignal,
  platform = process.platform,
): Promise<string> {
  const name = platform === 'win32' ? 'serena.exe' : 'serena';
  const tree = new Tree({
    ...{ what: path, directory, strip: 0, isProgram: () => true },
    moveTo: (entry) => (entry === name ? name : undefined),
  });
  if (path.endsWith('.zip')) await unpackZip(path, tree, { what: path, signal, sizeBytes: statSync(path).size });
  else await unpackTar(path, tree, { what: path, signal, compression: path.endsWith('.xz') ? 'xz' : 'gzip' });
  const program = join(directory, name);
  if (statSync(program, { throwIfNoEntry: false })?.isFile() === true) return program;
  throw new ExpectedError('install.failed', `the archive contains no \`${name}\`: nothing was changed`);
}

/** Starts the program at an absolute path. @throws {ExpectedError} `install.failed` if it does not report `version`. */
export function requireVersion(program: string, version: string): void {
  const { stdout, stderr, error } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: startTimeoutMs });
  if (stdout?.trim() === `Serena ${version}`) return;
  const output = (error?.message ?? `${stdout}${stderr}`).trim() || 'it cannot be started';
  const isMusl = currentTarget().libc === 'musl';
  throw new ExpectedError('install.failed', `the new program does not run on this machine: ${output}`, {
    hints: [
      ...(isMusl ? ['install the C++ library: apk add libstdc++'] : []),
      'the installed program was not changed; report this, with the version and the platform',
    ],
  });
}
