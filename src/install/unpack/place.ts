import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Placement } from '../artefact.ts';
import type { InstallJob } from '../job.ts';
import { unpackTarball } from '../unpack.ts';

/**
 * Unpacks the artefact whose bytes are the file at absolute `path` into its place below `job.staging`.
 *
 * @throws {ExpectedError} `install.failed` for an archive that is broken or holds what is refused; `install.no-space`.
 */
export async function place({ artefact, dest, unpack }: Placement, path: string, job: InstallJob): Promise<void> {
  const what = artefact.title;
  const onFiles = (done: number, total: number) =>
    job.report({ message: `Unpacking ${what} for ${job.title}`, done, total });
  if (unpack !== 'npm') throw new Error(`Nothing unpacks ${unpack} yet`);
  await unpackTarball(readFileSync(path), { what, folder: join(job.staging, dest), signal: job.signal, onFiles });
}
