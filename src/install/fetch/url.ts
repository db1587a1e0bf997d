// Release sites redirect to these hosts for their files.
import { log } from '../../base/log.ts';
import { downloadFailed } from '../failures.ts';
import { unverified } from '../lock/integrity.ts';
import type { Artifact } from '../source/artifact.ts';
import { blobName } from '../store/blobs.ts';
import { defaultTiming, download, HttpFailure } from './download.ts';
import type { FetchContext } from './job.ts';
import { type NetworkSettings, networkSettings, rewritten } from './network.ts';
import type { VerifiedFile } from './verified-file.ts';

/**
 * Contexts in which the mirror timed out or failed once. It is not tried again for the other files of an installation.
 */
const unresponsiveMirrors = new WeakSet<FetchContext>();

/**
 * Downloads `address`, after applying the user's URL rewrites, into `file`.
 *
 * @throws {ExpectedError} `install.download-failed`; `config.invalid`; errors of the file.
 */
export async function fetchFromUrl(
  address: string,
  artifact: Artifact,
  file: VerifiedFile,
  context: FetchContext,
): Promise<void> {
  try {
    await downloadAddress(address, file, context);
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    const hints = error.hint === undefined ? [] : [error.hint];
    throw downloadFailed(artifact.title, context, { reason: error.message, hints, cause: error });
  }
}

/**
 * Downloads `address`, after applying the user's URL rewrites, into `file`, from its own host, the hosts to which its site
 * redirects for files, and those that the user names.
 *
 * @throws {HttpFailure} if the download fails; {ExpectedError} `config.invalid`; errors of the file.
 */
export async function downloadAddress(
  address: string,
  file: VerifiedFile,
  { env, signal, timing }: Pick<FetchContext, 'env' | 'signal' | 'timing'>,
): Promise<void> {
  const network = networkSettings(env);
  const url = new URL(rewritten(address, network.rewrites));
  const site = new URL(address).host;
  const own = ownHosts(url, network);
  const isAllowed = (host: string) => own.includes(host) || isReleaseHost(site, host);
  await download(url, file, { isAllowed, network, env, signal, timing });
}

/**
 * Downloads an artifact by hash from the user's mirror into `file`. Returns false if there is no mirror or it does not
 * deliver the artifact.
 *
 * @throws {ExpectedError} `config.invalid`; errors of the file; the signal's reason once it aborts.
 */
export async function fetchFromMirror(
  { integrity }: Artifact,
  file: VerifiedFile,
  context: FetchContext,
): Promise<boolean> {
  const { env, signal } = context;
  const network = networkSettings(env);
  const { mirror } = network;
  if (mirror === undefined || integrity === unverified || unresponsiveMirrors.has(context)) return false;
  const address = new URL(blobName(integrity), mirror);
  // `new URL` with a base drops the base's credentials.
  [address.username, address.password] = [mirror.username, mirror.password];
  const own = ownHosts(address, network);
  const isAllowed = (host: string) => own.includes(host);
  const { retryDelaysMs, ...limits } = context.timing ?? defaultTiming;
  // Fewer retries, because the artifact's origin remains.
  const timing = { ...limits, retryDelaysMs: retryDelaysMs.slice(0, 2) };
  try {
    await download(address, file, { isAllowed, network, env, signal, timing });
    return true;
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    if (error.isTransient) unresponsiveMirrors.add(context);
    log('install').info(`Falling back from the mirror to the origin: ${error.message}`);
    file.restart();
    return false;
  }
}

/** Returns the host of `url` and those that the user names in rewrites, all as in `URL.host`. */
function ownHosts(url: URL, { rewrites }: NetworkSettings): readonly string[] {
  return [url.host, ...rewrites.map(([, to]) => new URL(to).host)];
}

const fileHosts: Readonly<Record<string, readonly string[]>> = {
  'github.com': [
    'codeload.github.com',
    'objects.githubusercontent.com',
    'release-assets.githubusercontent.com',
    'github-releases.githubusercontent.com',
  ],
  'marketplace.visualstudio.com': ['*.gallerycdn.vsassets.io', '*.gallery.vsassets.io'],
  'download.jetbrains.com': ['download-cdn.jetbrains.com'],
  'open-vsx.org': ['openvsx.eclipsecontent.org'],
  'services.gradle.org': ['github.com', 'release-assets.githubusercontent.com', 'objects.githubusercontent.com'],
};

/** True if files of a release on `site` may come from `host`; both as in `URL.host`. */
function isReleaseHost(site: string, host: string): boolean {
  if (site === host) return true;
  const allowed = Object.hasOwn(fileHosts, site) ? (fileHosts[site] ?? []) : [];
  return allowed.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : pattern === host));
}
