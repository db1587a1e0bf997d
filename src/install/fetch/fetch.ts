import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { forbidden, megabytes, writeFailure } from '../failures.ts';
import { integrityOfFile, unverified } from '../lock/integrity.ts';
import type { Artifact } from '../source/artifact.ts';
import { findBlob, keepAsBlob } from '../store/blobs.ts';
import { prepareDirectories } from '../store/layout.ts';
import { stagingDirectory } from '../store/staging.ts';
import { buildGoArtifact } from './go.ts';
import type { FetchContext } from './job.ts';
import { isOffline } from './network.ts';
import { fetchFromNpm } from './npm.ts';
import { fetchFromPypi } from './pypi.ts';
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
