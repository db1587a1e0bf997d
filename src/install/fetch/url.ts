import { log } from '../../base/log.ts';
import { downloadFailed } from '../failures.ts';
import type { Artifact } from '../source/artifact.ts';
import { defaultTiming, download } from './download.ts';
import { HttpFailure } from './http-failure.ts';
import type { FetchContext } from './job.ts';
import { type NetworkSettings, rewritten } from './network.ts';
import { isReleaseHost } from './release-hosts.ts';
import type { VerifiedFile } from './verified-file.ts';

/**
 * Contexts in which the mirror timed out or failed once. It is not tried again for the other files of an installation.
 */
const unresponsiveMirrors = new WeakSet<FetchContext>();

export interface UrlSink {
  readonly file: VerifiedFile;
  readonly network: NetworkSettings;
  onReceived?(receivedBytes: number): void;
}

/**
 * Downloads `address`, after applying the user's URL rewrites, into `sink.file`.
 *
 * @throws {ExpectedError} `install.download-failed`; errors of the file.
 */
export async function fetchFromUrl(
  address: string,
  artifact: Artifact,
  sink: UrlSink,
  context: FetchContext,
): Promise<void> {
  const { env, signal, timing } = context;
  const { network } = sink;
  const url = new URL(rewritten(address, network.rewrites));
  const site = new URL(address).host;
  const own = [url.host, ...network.rewrites.map(([, to]) => new URL(to).host)];
  const isAllowed = (host: string) => own.includes(host) || isReleaseHost(site, host);
  const onReceived = (receivedBytes: number) => sink.onReceived?.(receivedBytes);
  try {
    await download(url, sink.file, { isAllowed, network, env, signal, timing, onReceived });
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    const hints = error.hint === undefined ? [] : [error.hint];
    throw downloadFailed(artifact.title, context, { reason: error.message, hints, cause: error });
  }
}

/**
 * Downloads an artifact by hash from the user's mirror into `sink.file`. Returns false if the mirror does not deliver
 * it.
 *
 * @throws errors of the file; the signal's reason once it aborts.
 */
export async function fetchFromMirror(address: URL, sink: UrlSink, context: FetchContext): Promise<boolean> {
  if (unresponsiveMirrors.has(context)) return false;
  const { env, signal } = context;
  const { network } = sink;
  const own = [address.host, ...network.rewrites.map(([, to]) => new URL(to).host)];
  const isAllowed = (host: string) => own.includes(host);
  const onReceived = (receivedBytes: number) => sink.onReceived?.(receivedBytes);
  const { retryDelaysMs, ...limits } = context.timing ?? defaultTiming;
  // Fewer retries, because the artifact's origin remains.
  const timing = { ...limits, retryDelaysMs: retryDelaysMs.slice(0, 2) };
  try {
    await download(address, sink.file, { isAllowed, network, env, signal, timing, onReceived });
    return true;
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    if (error.isTransient) unresponsiveMirrors.add(context);
    log('install').info(`Falling back from the mirror to the origin: ${error.message}`);
    sink.file.restart();
    return false;
  }
}
