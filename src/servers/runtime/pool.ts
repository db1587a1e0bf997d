import { type Call, remainingMs } from '../../base/call.ts';
import { within } from '../../base/deadline.ts';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { isOffline } from '../../install/fetch/network.ts';
import { isPinnedSource, type PinnedSource } from '../../install/source/source.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { ServerSettings } from '../assignment/settings.ts';
import type { ActiveServer } from '../assignment/source-files.ts';
import type { ServerSpec } from '../spec.ts';
import { isFetched, serverIdentity } from './identity.ts';
import { findServerHere, locateServer } from './locate-server.ts';
import { type CountedServer, MemoryBudget } from './memory-budget.ts';
import { notFound, type ServerEnvironment } from './resolve.ts';
import type { ServerKey } from './start.ts';

interface Entry {
  readonly starting: Promise<LanguageServer>;
  /**
   * Progress callbacks of the calls that wait for the start, or for an answer while the server is reading the project.
   */
  readonly listeners: Set<(message: string) => void>;
  /** Aborts the start; the reason is the error that waiting calls get. */
  readonly stop: AbortController;
  server: LanguageServer | undefined;
  /** Number of questions that have begun. */
  questions: number;
  /** Number of questions that have not ended. */
  openQuestions: number;
  lastUse: number;
  readonly key: ServerKey;
  /** Returns the last progress message of the start, if there was one. */
  readonly lastMessage: () => string | undefined;
}

export interface ServerStatus {
  readonly id: string;
  readonly root: string;
  readonly state: 'starting' | 'ready' | 'stopped';
  readonly pid: number | undefined;
  /** Name, with the version if it is known. */
  readonly name: string;
  /** What it reports until it can answer about the whole project. */
  readonly progress: string | undefined;
}

/**
 * The running language servers of this process: one per server, project and settings, started by the first query that
 * needs it and shared by all sessions.
 */
export class ServerPool {
  readonly #place: ServerEnvironment;
  readonly #entries = new Map<string, Entry>();
  readonly #failures = new FailedStarts();
  readonly #stopping = new AbortController();
  readonly #budget: MemoryBudget;
  /** Number of running calls, by root. */
  readonly #calls = new Map<string, number>();

  /** `budget` may be shared with other pools. */
  constructor(place: ServerEnvironment, budget = new MemoryBudget(0)) {
    this.#place = place;
    this.#budget = budget;
    budget.count(() => this.#counted());
  }

  /**
   * Runs `query` with the server of `key`; starts the server if it is not running. If the server dies meanwhile, it is
   * restarted and the query runs once more, so queries must change nothing.
   *
   * @throws {ExpectedError} `install.*`, `server.*`, or the call's abort reason.
   */
  async ask<T>(key: ServerKey, call: Call, query: (server: LanguageServer) => Promise<T>): Promise<T> {
    try {
      return await this.#askOnce(key, call, query);
    } catch (error) {
      if (!isExpected(error, 'server.terminated')) throw error;
      log('servers').warn(`${messageOf(error)}. Starting it again`);
      return this.#askOnce(key, call, query);
    }
  }

  /** True if the server of `key` is running and has completed the handshake. */
  isRunning(key: ServerKey): boolean {
    return this.running(key) !== undefined;
  }

  /** Returns the server of `key` if it is running and has completed the handshake. */
  running(key: ServerKey): LanguageServer | undefined {
    const server = this.#entries.get(entryIdOf(key))?.server;
    return server?.isRunning ? server : undefined;
  }

  /** Returns, in plain words, what delays an answer of the server of `key`, which was asked but is not ready. */
  delayReason(key: ServerKey): string {
    const entry = this.#entries.get(entryIdOf(key));
    if (entry?.server) return `${entry.server.name} is loading the project`;
    const message = entry?.lastMessage();
    const isAbsent = message === undefined && isOffline(this.#place.env);
    return (isAbsent ? absenceReason(key, this.#place) : undefined) ?? startReason(message, key);
  }

  /** Returns, in plain words, why a question to the server of `key` failed with `error`. */
  failureReason(key: ServerKey, error: ExpectedError): string {
    return failureReason(error, key, { isOffline: isOffline(this.#place.env) });
  }

  /** While `work` runs, no server of the project at `root` is stopped to save memory. */
  async duringCall<T>(root: string, work: () => Promise<T>): Promise<T> {
    this.#calls.set(root, (this.#calls.get(root) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#calls.get(root) ?? 1) - 1;
      if (left > 0) this.#calls.set(root, left);
      else this.#calls.delete(root);
      this.#budget.nextUse();
    }
  }

  /** Returns the state of each server started so far for the project at `root`. */
  statusOf(root: string): ServerStatus[] {
    return [...this.#entries].flatMap(([entryId, { server, key, lastMessage }]) => {
      const [entryRoot = '', id = ''] = entryId.split('\0');
      if (entryRoot !== root) return [];
      const state = server === undefined ? 'starting' : server.isRunning ? 'ready' : 'stopped';
      const progress = state === 'stopped' || server?.isReady === true ? undefined : lastMessage();
      return [{ id, root, state, pid: server?.pid, name: server?.name ?? key.spec.name, progress } as const];
    });
  }

  /** Returns why the last start of a server of this project failed, by server id. */
  failuresOf(root: string): ReadonlyMap<string, string> {
    return this.#failures.reasonsOf(root);
  }

  /** Returns the identity of a server in this environment: see {@link serverIdentity}. */
  identityOf(spec: ServerSpec, settings: ServerSettings): string {
    return serverIdentity(spec, settings, this.#place.env);
  }

  /** True if a server and what it includes are on this machine, so that its start fetches nothing. */
  async isOnThisMachine({ spec, settings }: ActiveServer): Promise<boolean> {
    const { symbolServer, companions = [] } = spec.quirks ?? {};
    const others = [...(symbolServer === undefined ? [] : [symbolServer]), ...companions];
    for (const [one, own] of [[spec, settings], ...others.map((other) => [other, {}] as const)] as const) {
      if ((await findServerHere(one, own, this.#place)).located === undefined) return false;
    }
    return true;
  }

  /** True if a server that nobody waits for may start: less than half of the memory budget is in use. */
  async hasRoom(): Promise<boolean> {
    const { usedBytes = 0, budgetBytes = Number.POSITIVE_INFINITY } = (await this.#budget.state()) ?? {};
    return usedBytes < budgetBytes / 2;
  }

  /** Stops all servers, running or starting, at once. Never rejects. */
  async stopAll(): Promise<void> {
    this.#stopping.abort(new ExpectedError('server.cancelled', 'the server is shutting down'));
    await this.#stop([...this.#entries.keys()]);
  }

  /**
   * Stops the servers of the project at `root`, running or starting; the next query starts them again. Never rejects.
   */
  async stopProject(root: string): Promise<void> {
    this.#failures.forgetProject(root);
    await this.#stop([...this.#entries.keys()].filter((entryId) => entryId.startsWith(`${root}\0`)));
  }

  /** Stops one server, running or starting; the next query starts it again. Never rejects. */
  async stopServer(key: ServerKey): Promise<void> {
    this.#failures.forget(entryIdOf(key));
    await this.#stop([entryIdOf(key)]);
  }

  async #stop(entryIds: readonly string[]): Promise<void> {
    const entries = entryIds.flatMap((entryId) => this.#entries.get(entryId) ?? []);
    for (const entryId of entryIds) this.#entries.delete(entryId);
    for (const { stop } of entries) stop.abort(stoppedAtStart());
    await Promise.all(entries.map((entry) => entry.starting.then((server) => server.stop()).catch(() => undefined)));
  }

  /** Returns the servers that run, for the memory budget. */
  #counted(): CountedServer[] {
    return [...this.#entries].flatMap(([entryId, entry]) => {
      const { server, key, questions, openQuestions, lastUse } = entry;
      if (!server?.isRunning || server.pid === undefined) return [];
      const stop = () => this.#stop([entryId]);
      const restart = async () => {
        await stop();
        // A question may have started it meanwhile, and a failed start is reported to the next one.
        if (!this.#entries.has(entryId) && !this.#stopping.signal.aborted) this.#start(entryId, key);
      };
      const isBusy = openQuestions > 0 || this.#calls.has(key.root);
      const label = `${server.name} for ${key.root}`;
      return [{ key: entry, label, pid: server.pid, questions, lastUse, isBusy, stop, restart }];
    });
  }

  async #askOnce<T>(key: ServerKey, call: Call, query: (server: LanguageServer) => Promise<T>): Promise<T> {
    // An ended call must start nothing, even if its server was just stopped.
    call.signal.throwIfAborted();
    const entry = this.#entryOf(key);
    const report = (message: string) => call.progress(message);
    entry.listeners.add(report);
    entry.questions++;
    entry.openQuestions++;
    entry.lastUse = this.#budget.nextUse();
    let waiting: { stop(): void } | undefined;
    try {
      const limits = { signal: call.signal, timeoutMs: remainingMs(call), onTimeout: () => notStarted(key) };
      const server = await within(entry.starting, limits);
      if (call.countsProgress !== true) waiting = reportWaiting(server.name, report);
      return await query(server);
    } finally {
      waiting?.stop();
      entry.listeners.delete(report);
      entry.openQuestions--;
      entry.lastUse = this.#budget.nextUse();
    }
  }

  /**
   * Returns the entry of a running or starting server; starts the server if there is none.
   *
   * @throws {ExpectedError} the error of the last start, if it failed a short time ago.
   */
  #entryOf(key: ServerKey): Entry {
    // During shutdown, a query whose server was just stopped must not restart it.
    this.#stopping.signal.throwIfAborted();
    const entryId = entryIdOf(key);
    const known = this.#entries.get(entryId);
    const isUsable = known !== undefined && (known.server === undefined || known.server.isRunning);
    if (isUsable) return known;
    this.#failures.throwRecent(entryId);
    return this.#start(entryId, key);
  }

  async #startServer(key: ServerKey, call: Call): Promise<LanguageServer> {
    // Loaded with the first server: a client that only lists tools does not load the installer.
    const { startServer } = await import('./start.ts');
    return startServer(key, { place: this.#place, call });
  }

  /** Begins a start and stores its entry at once, so that concurrent queries share it. */
  #start(entryId: string, key: ServerKey): Entry {
    const begunAtMs = performance.now();
    const listeners = new Set<(message: string) => void>();
    const progress = progressReporter(listeners);
    const stop = new AbortController();
    const call = { signal: AbortSignal.any([this.#stopping.signal, stop.signal]), progress: progress.report };
    const starting = this.#startServer(key, call)
      .catch((error: unknown) => {
        // An aborted start is not a failure of the server.
        stop.signal.throwIfAborted();
        throw error;
      })
      .finally(progress.stop);
    const counts = { questions: 0, openQuestions: 0, lastUse: this.#budget.nextUse() };
    const entry: Entry = { starting, listeners, stop, server: undefined, lastMessage: progress.last, key, ...counts };
    this.#entries.set(entryId, entry);
    starting.then(
      (server) => {
        entry.server = server;
        this.#failures.forget(entryId);
        log('servers').info(`${server.name} is running for ${key.root} (pid ${server.pid})`);
      },
      (error: unknown) => {
        if (this.#entries.get(entryId) === entry) this.#entries.delete(entryId);
        if (stop.signal.aborted) return;
        this.#failures.remember(entryId, error, begunAtMs);
        log('servers').error(`cannot start ${key.spec.name} for ${key.root}: ${messageOf(error)}`);
      },
    );
    return entry;
  }
}

function entryIdOf({ root, identity, isTrusted }: ServerKey): string {
  // Trust is part of the id: a server started with a project's own code must not be used after trust is withdrawn.
  return `${root}\0${identity}\0${isTrusted === true}`;
}

/** {@link ServerPool.ask} retries after this error, as when a server dies. */
function stoppedAtStart(): ExpectedError {
  return new ExpectedError('server.terminated', 'the language server was stopped while it started');
}

/** A server may take minutes to build or to answer, and clients give up after some time without progress. */
const heartbeatMs = 5_000;
/** Most answers come before that, and nobody needs to know that a call waits for them. */
const firstHeartbeatMs = 1_000;

/** Reports to a question that its server has not answered yet, until `stop()`. */
function reportWaiting(name: string, report: (message: string) => void): { stop(): void } {
  let waiting: ReturnType<typeof progressReporter> | undefined;
  const timer = setTimeout(() => {
    waiting = progressReporter(new Set([report]));
    waiting.report(`Waiting for ${name}`);
  }, firstHeartbeatMs);
  return {
    stop: () => {
      clearTimeout(timer);
      waiting?.stop();
    },
  };
}

/** Reports progress to `listeners`; repeats the last message, with its elapsed time, until `stop()`. */
function progressReporter(listeners: ReadonlySet<(message: string) => void>) {
  let last: string | undefined;
  let reportedAt = performance.now();
  const send = (message: string) => {
    for (const listener of listeners) listener(message);
  };
  const timer = setInterval(
    () => send(`${last ?? 'Starting a language server'} (${Math.round((performance.now() - reportedAt) / 1000)} s)`),
    heartbeatMs,
  );
  return {
    report: (message: string) => {
      last = message;
      reportedAt = performance.now();
      send(message);
    },
    last: () => last,
    stop: () => clearInterval(timer),
  };
}

function notStarted({ spec, root }: ServerKey): ExpectedError {
  return new ExpectedError(
    'server.timed-out',
    `${spec.name} has not started for \`${root}\` in the time of this call`,
    {
      hints: ['retry: the start continues', 'raise `tool_timeout` in the configuration'],
    },
  );
}

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
class FailedStarts {
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
function startReason(message: string | undefined, { spec }: Server): string {
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
function absenceReason(server: Server, place: ServerEnvironment): string | undefined {
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
function failureReason(error: ExpectedError, server: Server, { isOffline }: { readonly isOffline: boolean }): string {
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
