import { within } from '../../base/deadline.ts';
import { ExpectedError, systemCode } from '../../base/errors.ts';
import { downloadFailed, forbidden, reasonOf } from '../failures.ts';
import type { Artifact, Origin } from '../source/artifact.ts';
import { prepareDirectories } from '../store/layout.ts';
import type { FetchContext } from './job.ts';
import { networkSettings } from './network.ts';
import { loadNpmOptions, type NpmOptions } from './npm-config.ts';
import type { VerifiedFile } from './verified-file.ts';

const configurationHint = 'check registry, proxy, certificates and tokens in your npm configuration (`~/.npmrc`)';
const certificateHint =
  "name your certificate authority's file: `cafile` in `~/.npmrc`, `SERENA_CA_FILE` or `NODE_EXTRA_CA_CERTS`";

interface Request {
  readonly artifact: Artifact;
  /** `name@version`. */
  readonly spec: string;
  readonly options: NpmOptions;
  readonly context: FetchContext;
}

/** npm's configuration by context: loading takes as long as fetching a small package. */
const loaded = new WeakMap<FetchContext, Promise<NpmOptions>>();

/**
 * Fetches a package into `file`, according to the user's npm configuration.
 *
 * @throws {ExpectedError} `install.download-failed`; errors of the file.
 */
export async function fetchFromNpm(
  artifact: Artifact,
  { name, version }: Extract<Origin, { kind: 'npm' }>,
  file: VerifiedFile,
  context: FetchContext,
): Promise<void> {
  const options = await npmOptions(context);
  if (options.isOffline) throw forbidden([artifact], "npm's configuration has `offline=true`", context);
  const request: Request = { artifact, spec: `${name}@${version}`, options, context };
  try {
    await attempt(request, file).catch((error: unknown) => {
      // npm's libraries retry requests, but not after content has begun to arrive.
      if (!(error instanceof BrokenStream) || context.signal.aborted) throw error;
      file.restart();
      return attempt(request, file);
    });
  } catch (error) {
    context.signal.throwIfAborted();
    throw downloadError(error instanceof BrokenStream ? error.cause : error, request);
  }
}

function npmOptions(context: FetchContext): Promise<NpmOptions> {
  const found = loaded.get(context);
  if (found !== undefined) return found;
  const authorities = networkSettings(context.env).authorities;
  const loading = loadNpmOptions(prepareDirectories(context.home).npm, context.env, authorities);
  loaded.set(context, loading);
  return loading;
}

async function attempt({ spec, options, context }: Request, file: VerifiedFile): Promise<void> {
  const { default: pacote } = await import('pacote');
  // Two steps, and no integrity: with one, pacote requests the same bytes three times before it reports a mismatch. The
  // second step uses the URL from the registry's metadata, hence `allowRemote`: npm itself does not count it as remote.
  const opts = { ...options.flat, signal: context.signal, allowRemote: 'all' };
  // The limit also covers connecting, which npm leaves to the system; without it, dropped packets cost minutes.
  const limits = {
    timeoutMs: options.idleTimeoutMs,
    signal: context.signal,
    onTimeout: () => idleTimeoutError(options),
  };
  const { _resolved: address } = await within(pacote.manifest(spec, opts), limits);
  await pacote.tarball.stream(address, (stream) => collect(stream, file, options), opts);
}

/** Wraps a stream error. Hides its `code` from pacote, which starts over for some codes. */
class BrokenStream extends Error {}

function collect(stream: NodeJS.ReadableStream, file: VerifiedFile, options: NpmOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const watchdog = setTimeout(() => reject(idleTimeoutError(options)), options.idleTimeoutMs);
  let isOver = false;
  stream.on('data', (chunk: Buffer) => {
    if (isOver) return;
    watchdog.refresh();
    try {
      file.write(chunk);
    } catch (error) {
      reject(error);
    }
  });
  stream.on('error', (error) => reject(new BrokenStream('The download was interrupted', { cause: error })));
  stream.on('end', resolve);
  return promise.finally(() => {
    isOver = true;
    clearTimeout(watchdog);
  });
}

function idleTimeoutError({ idleTimeoutMs }: NpmOptions): Error {
  return new Error(`no response within ${idleTimeoutMs / 1000} s, npm's \`fetch-timeout\``);
}

function downloadError(error: unknown, { artifact, options, context }: Request): unknown {
  const code = systemCode(error);
  if (error instanceof ExpectedError || /^(ENOSPC|EDQUOT|EROFS)$/.test(code ?? '')) return error;
  const refusals: Record<string, string> = {
    E401: 'requires authentication (401)',
    E403: 'denies access (403)',
    E404: 'does not have the package (404)',
    ETARGET: `does not have this version (${reasonOf(error)})`,
  };
  const refusal = code === undefined ? undefined : refusals[code];
  if (refusal !== undefined) {
    const reason = `the registry ${options.registry} ${refusal}`;
    return downloadFailed(artifact.title, context, { reason, hints: [configurationHint], cause: error });
  }
  const reason = `the registry ${options.registry} is unreachable or closed the connection (${reasonOf(error)})`;
  const hints = [/CERT|SIGNATURE/.test(code ?? '') ? certificateHint : configurationHint];
  return downloadFailed(artifact.title, context, { reason, hints, cause: error });
}
