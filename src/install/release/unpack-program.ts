import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { currentTarget, targetName } from '../target.ts';
import { unpackTar } from '../unpack/tar.ts';
import { Tree } from '../unpack/tree.ts';
import { unpackZip } from '../unpack/zip.ts';

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
