import { z } from 'zod';
import { within } from '../../base/deadline.ts';
import { ExpectedError, messageOf, systemCode } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { downloadFailed, forbidden, reasonOf } from '../failures.ts';
import type { Artifact, Origin } from '../source/artifact.ts';
import { prepareDirectories } from '../store/layout.ts';
import type { FetchContext } from './job.ts';
import { networkSettings } from './network.ts';
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

/** Options for npm's libraries, as npm itself would pass them. */
interface NpmOptions {
  readonly flat: Readonly<Record<string, unknown>>;
  /** True if npm's configuration forbids network access (`offline=true`). */
  readonly isOffline: boolean;
  /** The registry for packages without a scope, without credentials; for messages. */
  readonly registry: string;
  /** Maximum time without data. npm's libraries apply it to established connections only, not to connecting. */
  readonly idleTimeoutMs: number;
}

// npm's own defaults retry for minutes, too long for a tool call.
const retryDefaults = {
  'fetch-retries': ['retries', 2],
  'fetch-retry-mintimeout': ['minTimeout', 200],
  'fetch-retry-maxtimeout': ['maxTimeout', 2000],
} as const;
// Enough for a package's metadata (some 100 kB) on a connection of 10 kB/s.
const defaultIdleTimeoutMs = 20_000;

/**
 * Loads npm's configuration from `env` and the user's and the machine's `.npmrc`, as npm does, but never from a
 * project: `directory` is an empty directory that this program uses as the project. Retries and timeouts are short
 * unless configured. `authorities`, in PEM, are trusted in addition to those in npm's configuration.
 *
 * @throws {ExpectedError} `install.download-failed` if npm's configuration cannot be read.
 */
export async function loadNpmOptions(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
  authorities?: readonly string[],
): Promise<NpmOptions> {
  const [{ default: Config }, { default: definitions }] = await Promise.all([
    import('@npmcli/config'),
    import('@npmcli/config/lib/definitions/index.js'),
  ]);
  const config = new Config({
    ...definitions,
    npmPath: directory,
    cwd: directory,
    // Global mode never reads project configuration. Without it npm searches the directories above `directory` for a
    // `package.json` and reads the `.npmrc` beside it.
    argv: ['node', 'npm', '--global'],
    // `load()` writes to this environment.
    env: { ...env },
    // npm locates the machine's configuration relative to Node.
    execPath: findProgram('node', env) ?? process.execPath,
    warn: false,
  });
  const userAgent = process.env.npm_config_user_agent;
  try {
    await config.load();
    return toOptions(
      { ...config.flat, ca: mergeAuthorities(config.flat.ca, authorities) },
      (key) => config.find(key) === 'default',
    );
  } catch (error) {
    throw new ExpectedError('install.download-failed', `cannot read npm's configuration: ${messageOf(error)}`, {
      hints: ["correct the `.npmrc` in the user's home directory, or the `npm_config_*` variables of the environment"],
      cause: error,
    });
  } finally {
    // Flattening sets this variable in the environment of this process, which every child would inherit.
    if (userAgent === undefined) delete process.env.npm_config_user_agent;
    else process.env.npm_config_user_agent = userAgent;
  }
}

function toOptions(flat: Readonly<Record<string, unknown>>, isDefault: (key: string) => boolean): NpmOptions {
  const known = z.looseObject({
    retry: z.record(z.string(), z.number()),
    timeout: z.number(),
    offline: z.boolean().optional(),
    registry: z.string(),
  });
  const { retry, timeout, offline, registry } = known.parse(flat);
  for (const [key, [option, value]] of Object.entries(retryDefaults)) {
    if (isDefault(key)) retry[option] = value;
  }
  const idleTimeoutMs = isDefault('fetch-timeout') ? defaultIdleTimeoutMs : timeout;
  return {
    // Every archive is verified against the server lock and unpacked at once; npm's cache would only be a second copy.
    flat: { ...flat, retry, timeout: idleTimeoutMs, cache: undefined },
    isOffline: offline === true,
    registry: origin(registry),
    idleTimeoutMs,
  };
}

/**
 * Returns the authorities of npm's configuration and those of `SERENA_CA_FILE`; a list of authorities replaces the
 * default.
 */
function mergeAuthorities(named: unknown, ours: readonly string[] | undefined): unknown {
  if (ours === undefined) return named;
  return Array.isArray(named) ? [...named, ...ours] : ours;
}

function origin(registry: string): string {
  return URL.canParse(registry) ? new URL(registry).origin : 'the configured registry';
}
