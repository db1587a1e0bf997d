import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { within } from '../../base/deadline.ts';
import { ExpectedError, systemCode } from '../../base/errors.ts';
import { downloadFailed, hashMismatch, megabytes, reasonOf, writeFailure } from '../failures.ts';
import type { InstallJob } from '../job.ts';
import { prepareFolders } from '../layout.ts';
import type { LockedPackage } from '../lock-schema.ts';
import { loadNpmOptions, type NpmOptions } from '../npm-config.ts';
import { unpackTarball } from '../unpack.ts';

// npm opens up to 15 connections to a registry; half of that keeps within what mirrors allow a client.
const maxDownloads = 8;
// An archive that is longer than the pinned one is read on, to say what it is, but not one that never ends.
const maxExcessBytes = 16e6;
const configurationHint = 'Check registry, proxy, certificates and tokens in your npm configuration (`~/.npmrc`)';
const certificateHint = "Name your certificate authority's file: `cafile` in `~/.npmrc`, or `NODE_EXTRA_CA_CERTS`";

/**
 * Fetches every one of `packages` through the user's npm configuration, verifies each against its integrity and unpacks it
 * below `job.staging`. No install script runs: packages are data until a server starts.
 *
 * @throws {ExpectedError} `install.hash-mismatch`, `install.download-failed`, `install.no-space`, `install.failed`.
 */
export async function installFromNpm(job: InstallJob, packages: readonly LockedPackage[]): Promise<void> {
  const options = await loadNpmOptions(prepareFolders(job.home).npm, job.env);
  if (options.isOffline) {
    throw downloadFailed(packages.map(nameOf).join(', '), job, {
      reason: "npm's configuration says `offline=true`",
      hints: [],
    });
  }
  const failure = new AbortController();
  const working = { ...job, signal: AbortSignal.any([job.signal, failure.signal]) };
  const progress = startProgress(job, packages);
  await inParallel(packages, failure, async (wanted) => {
    const tarball = await download({ wanted, job: working, options }, progress);
    await unpack(tarball, wanted, working, progress);
  });
}

/** Runs `work` on all items, some at a time. The first failure stops the rest, and is thrown once all have stopped. */
async function inParallel<T>(
  items: readonly T[],
  failure: AbortController,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let firstError: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (const item of queue) {
      if (firstError !== undefined) return;
      try {
        await work(item);
      } catch (error) {
        firstError ??= { error };
        failure.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: maxDownloads }, worker));
  if (firstError !== undefined) throw firstError.error;
}

interface Progress {
  received(sizeBytes: number): void;
  unpacked(name: string, written: number, total: number): void;
}

function startProgress(job: InstallJob, packages: readonly LockedPackage[]): Progress {
  const total = packages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let done = 0;
  return {
    received(sizeBytes) {
      done += sizeBytes;
      job.report({ message: `Downloading ${job.title} (${megabytes(total)})`, done, total });
    },
    unpacked(name, written, files) {
      job.report({ message: `Unpacking ${name} for ${job.title}`, done: written, total: files });
    },
  };
}

interface Download {
  readonly wanted: LockedPackage;
  readonly job: InstallJob;
  readonly options: NpmOptions;
}

async function download(request: Download, progress: Progress): Promise<Buffer> {
  const { wanted, job, options } = request;
  const { default: pacote } = await import('pacote');
  // Two steps and no integrity: given one, pacote asks the same server for the same bytes three times before it reports a
  // mismatch. The second step takes the address from the registry's own record, which npm does not count as remote.
  const opts = { ...options.flat, signal: job.signal, allowRemote: 'all' };
  const attempt = async () => {
    // The limit also ends attempts to connect, which npm leaves to the system: minutes, where packets vanish.
    const limits = { timeoutMs: options.silenceMs, signal: job.signal, onTimeout: () => silence(options) };
    const { _resolved: address } = await within(pacote.manifest(nameOf(wanted), opts), limits);
    return pacote.tarball.stream(address, (stream) => collect(stream, request, progress), opts);
  };
  try {
    const tarball = await attempt().catch((error: unknown) => {
      // Requests are repeated below us, but not once content has begun to arrive.
      if (error instanceof BrokenOff && !job.signal.aborted) return attempt();
      throw error;
    });
    verify(tarball, wanted);
    return tarball;
  } catch (error) {
    job.signal.throwIfAborted();
    throw downloadError(error instanceof BrokenOff ? error.cause : error, request);
  }
}

/** Hides an error's `code` from pacote, which starts over for some of them. */
class BrokenOff extends Error {}

function collect(stream: NodeJS.ReadableStream, { wanted, options }: Download, progress: Progress): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let received = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const watchdog = setTimeout(() => reject(silence(options)), options.silenceMs);
  stream.on('data', (chunk: Buffer) => {
    watchdog.refresh();
    chunks.push(chunk);
    received += chunk.length;
    progress.received(chunk.length);
    if (received > wanted.sizeBytes + maxExcessBytes) reject(tooLong(wanted, received));
  });
  stream.on('error', (error) => {
    progress.received(-received);
    reject(new BrokenOff('The download broke off', { cause: error }));
  });
  stream.on('end', () => resolve(Buffer.concat(chunks)));
  return promise.finally(() => clearTimeout(watchdog));
}

function silence({ silenceMs }: NpmOptions): Error {
  return new Error(`no answer within ${silenceMs / 1000} s, npm's \`fetch-timeout\``);
}

function verify(tarball: Buffer, wanted: LockedPackage): void {
  const found = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  if (found !== wanted.integrity) throw hashMismatch(nameOf(wanted), wanted.integrity, found);
}

function tooLong(wanted: LockedPackage, received: number): ExpectedError {
  const { integrity, sizeBytes } = wanted;
  return hashMismatch(nameOf(wanted), `${integrity} of ${sizeBytes} bytes`, `more than ${received} bytes`);
}

async function unpack(tarball: Buffer, wanted: LockedPackage, job: InstallJob, progress: Progress): Promise<void> {
  try {
    await unpackTarball(tarball, {
      what: nameOf(wanted),
      folder: join(job.staging, wanted.dest),
      signal: job.signal,
      onFiles: (written, total) => progress.unpacked(nameOf(wanted), written, total),
    });
  } catch (error) {
    throw writeFailure(error, job, wanted.unpackedBytes);
  }
}

function downloadError(error: unknown, { wanted, job, options }: Download): unknown {
  if (error instanceof ExpectedError) return error;
  const what = nameOf(wanted);
  const code = systemCode(error);
  const refusals: Record<string, string> = {
    E401: 'does not know who asks (401)',
    E403: 'forbids it (403)',
    E404: 'does not have it (404)',
    ETARGET: `does not have this version (${reasonOf(error)})`,
  };
  const refusal = code === undefined ? undefined : refusals[code];
  if (refusal !== undefined) {
    const reason = `the registry ${options.registry} ${refusal}`;
    return downloadFailed(what, job, { reason, hints: [configurationHint], cause: error });
  }
  const reason = `the registry ${options.registry} cannot be reached or breaks off (${reasonOf(error)})`;
  const hints = [/CERT|SIGNATURE/.test(code ?? '') ? certificateHint : configurationHint];
  return downloadFailed(what, job, { reason, hints, cause: error });
}

function nameOf({ name, version }: LockedPackage): string {
  return `${name}@${version}`;
}
