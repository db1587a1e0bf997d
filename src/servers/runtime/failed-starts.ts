import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { isPinnedSource, type PinnedSource } from '../../install/source/source.ts';
import { isFetched } from './identity.ts';
import { locateServer } from './locate-server.ts';
import { notFound, type ServerEnvironment } from './resolve.ts';
import type { ServerKey } from './start.ts';

interface FailedStart {
  readonly error: unknown;
  /** Time from which the start is retried, in `performance.now()` milliseconds. */
  readonly retryAtMs: number;
}

/** A failed start is not retried for this multiple of the time that it took. */
const waitFactor = 10;
const maxWaitMs = 30_000;

/**
 * Failed starts of servers, by key: absolute root, NUL, identity. A start may take minutes to fail, and every call
 * would wait for it, so retries are spaced by a multiple of that time. A start that fails at once, such as for a
 * missing program, is retried with every call: a user who has installed the program need do nothing else.
 */
export class FailedStarts {
  readonly #byKey = new Map<string, FailedStart>();

  /** Stores the error of a start that began at `begunAtMs` (`performance.now()`). */
  remember(key: string, error: unknown, begunAtMs: number): void {
    const now = performance.now();
    const isCheap = isExpected(error, 'install.runtime-missing');
    const waitMs = isCheap ? 0 : Math.min(maxWaitMs, waitFactor * (now - begunAtMs));
    this.#byKey.set(key, { error, retryAtMs: now + waitMs });
  }

  /** @throws {ExpectedError} the error of the last start, until it may be retried. */
  throwRecent(key: string): void {
    const failed = this.#byKey.get(key);
    const leftMs = failed === undefined ? 0 : failed.retryAtMs - performance.now();
    if (failed === undefined || leftMs <= 0) return;
    const { error } = failed;
    const seconds = Math.ceil(leftMs / 1000);
    throw new ExpectedError(
      error instanceof ExpectedError ? error.code : 'server.start-failed',
      `${messageOf(error)}\nThis failed a moment ago; the first call after ${seconds} s retries it`,
      {
        hints: [
          ...(error instanceof ExpectedError ? error.hints : []),
          'call `restart_language_server` to retry at once, or retry later',
        ],
        cause: error,
      },
    );
  }

  /** Returns why servers of the project at absolute `root` did not start, by server id. */
  reasonsOf(root: string): ReadonlyMap<string, string> {
    const own = [...this.#byKey].map(([key, { error }]) => [key.split('\0'), messageOf(error)] as const);
    return new Map(own.filter(([key]) => key[0] === root).map(([key, reason]) => [key[1] ?? '', reason]));
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }

  forgetProject(root: string): void {
    for (const key of this.#byKey.keys()) if (key.startsWith(`${root}\0`)) this.#byKey.delete(key);
  }
}

type Server = Pick<ServerKey, 'spec' | 'settings'>;

/**
 * Returns, as the reason why a server does not answer yet, what the last progress message of its start says. `undefined`
 * means that there was none yet.
 */
export function startReason(message: string | undefined, { spec }: Server): string {
  const [, started] = /^Starting (.+)$/s.exec(message ?? '') ?? [];
  if (started !== undefined) return `${started} is starting`;
  return message === undefined
    ? `${spec.name} is starting`
    : `${spec.name} is being installed: ${decapitalized(message)}`;
}

/**
 * Returns the reason why a server that has to be on this machine, because nothing may be downloaded, will not start; the
 * same reason as {@link failureReason} returns once it has failed. `undefined` if it may start.
 */
export function absenceReason(server: Server, place: ServerEnvironment): string | undefined {
  const { spec, settings } = server;
  try {
    if (!locateServer(spec, settings, place).next().done) return undefined;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
  if (spec.install.some((source) => isFetched(source, settings))) return withoutDownloads(server);
  return failureReason(notFound(spec), server, { isOffline: true });
}

/** Returns the reason why a server did not answer from the error of a question to it. */
export function failureReason(
  error: ExpectedError,
  server: Server,
  { isOffline }: { readonly isOffline: boolean },
): string {
  const { name } = server.spec;
  if (error.code === 'install.download-failed' && isOffline) return withoutDownloads(server);
  if (error.code === 'install.download-failed') return `${titleOf(server)} cannot be downloaded`;
  if (error.code === 'install.runtime-missing')
    return `${name} cannot be run: ${[firstLine(error), ...error.hints.slice(0, 1)].join('; ')}`;
  if (error.code.startsWith('install.')) return `${titleOf(server)} cannot be installed`;
  if (error.code === 'server.start-failed') return `${name} failed to start`;
  if (error.code === 'server.timed-out') return `${name} did not answer in time`;
  return `${name} failed: ${firstLine(error)}`;
}

function withoutDownloads(server: Server): string {
  return `${titleOf(server)} is not installed, and downloads are disabled`;
}

/** Returns the name of a server with the version that would be installed. */
function titleOf({ spec, settings }: Server): string {
  const chosen = spec.versionKey === undefined ? undefined : settings[spec.versionKey];
  const source = spec.install.find(isPinnedSource);
  const version = typeof chosen === 'string' ? chosen : source && versionOf(source);
  return version === undefined ? spec.name : `${spec.name} ${version}`;
}

function versionOf(source: PinnedSource): string | undefined {
  return 'version' in source ? source.version : Object.values(source.packages)[0];
}

function firstLine({ message }: ExpectedError): string {
  return message.split('\n', 1)[0] ?? '';
}

/** The message continues a sentence. */
function decapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
