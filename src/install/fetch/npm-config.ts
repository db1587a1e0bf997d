import { z } from 'zod';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';

/** Options for npm's libraries, as npm itself would pass them. */
export interface NpmOptions {
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
