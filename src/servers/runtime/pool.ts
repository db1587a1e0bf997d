import { type Call, remainingMs } from '../../base/call.ts';
import { within } from '../../base/deadline.ts';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { ServerSettings } from '../assignment/settings.ts';
import type { ServerSpec } from '../catalog/spec.ts';
import { FailedStarts } from './failed-starts.ts';
import { serverIdentity } from './identity.ts';
import type { ServerPlace } from './resolve.ts';
import type { ServerKey } from './start.ts';

interface Entry {
  readonly starting: Promise<LanguageServer>;
  /** Everyone who waits for the start, or for an answer while the server still reads, hears how far it is. */
  readonly listeners: Set<(message: string) => void>;
  /** Ends the start, with what those hear who wait for it. */
  readonly stop: AbortController;
  server: LanguageServer | undefined;
}

/** What the pool tells of one server. */
export interface ServerStatus {
  readonly id: string;
  readonly root: string;
  readonly state: 'starting' | 'ready' | 'stopped';
}

/**
 * The running language servers of this process: one per server, project and settings, started with the first question
 * that needs it and shared by every connection.
 */
export class ServerPool {
  readonly #place: ServerPlace;
  readonly #entries = new Map<string, Entry>();
  readonly #failures = new FailedStarts();
  readonly #stopping = new AbortController();

  constructor(place: ServerPlace) {
    this.#place = place;
  }

  /**
   * Runs a question against the server of `key`, starting the server if it does not run. If the server dies over it,
   * it is started again and the question asked once more: only for questions that change nothing.
   *
   * @throws {ExpectedError} `install.*`, `server.*`, or the call's abort reason.
   */
  async ask<T>(key: ServerKey, call: Call, question: (server: LanguageServer) => Promise<T>): Promise<T> {
    try {
      return await this.#askOnce(key, call, question);
    } catch (error) {
      if (!isExpected(error, 'server.terminated')) throw error;
      log('servers').warn(`${messageOf(error)}. Starting it again`);
      return this.#askOnce(key, call, question);
    }
  }

  /** Returns whether the server of `key` runs and has shaken hands. */
  isRunning(key: ServerKey): boolean {
    return this.#entries.get(entryIdOf(key))?.server?.isRunning ?? false;
  }

  /** Returns the state of each server started so far for the project at `root`. */
  statusOf(root: string): ServerStatus[] {
    return [...this.#entries].flatMap(([entryId, { server }]) => {
      const [entryRoot = '', id = ''] = entryId.split('\0');
      if (entryRoot !== root) return [];
      return [{ id, root, state: server === undefined ? 'starting' : server.isRunning ? 'ready' : 'stopped' } as const];
    });
  }

  /** Returns why the last start of a server of this project failed, by server id. */
  failuresOf(root: string): ReadonlyMap<string, string> {
    return this.#failures.reasonsOf(root);
  }

  /** Returns what the answers of a server depend on here: see {@link serverIdentity}. */
  identityOf(spec: ServerSpec, settings: ServerSettings): string {
    return serverIdentity(spec, settings, this.#place.env);
  }

  /** Stops all servers, running or starting, at once. Never rejects. */
  async stopAll(): Promise<void> {
    this.#stopping.abort(new ExpectedError('server.cancelled', 'The server is shutting down'));
    await this.#stop([...this.#entries.keys()]);
  }

  /** Stops the servers of the project at `root`, running or starting; the next question starts them again. Never rejects. */
  async stopProject(root: string): Promise<void> {
    this.#failures.forgetProject(root);
    await this.#stop([...this.#entries.keys()].filter((entryId) => entryId.startsWith(`${root}\0`)));
  }

  /** Stops one server, running or starting; the next question starts it again. Never rejects. */
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

  async #askOnce<T>(key: ServerKey, call: Call, question: (server: LanguageServer) => Promise<T>): Promise<T> {
    // A call that is over must start nothing, also not when its server was just stopped.
    call.signal.throwIfAborted();
    const entry = this.#entryOf(key);
    const hear = (message: string) => call.progress(message);
    entry.listeners.add(hear);
    try {
      const limits = { signal: call.signal, timeoutMs: remainingMs(call), onTimeout: () => notStarted(key) };
      return await question(await within(entry.starting, limits));
    } finally {
      entry.listeners.delete(hear);
    }
  }

  /**
   * Returns the entry of a server that runs or starts, started now if there is none.
   *
   * @throws {ExpectedError} why its last start failed, where that is not long ago.
   */
  #entryOf(key: ServerKey): Entry {
    // A question whose server was just stopped must not start it again.
    this.#stopping.signal.throwIfAborted();
    const entryId = entryIdOf(key);
    const known = this.#entries.get(entryId);
    const isUsable = known !== undefined && (known.server === undefined || known.server.isRunning);
    if (isUsable) return known;
    this.#failures.throwRecent(entryId);
    return this.#start(entryId, key);
  }

  async #startServer(key: ServerKey, call: Call): Promise<LanguageServer> {
    // Loaded with the first server: a client that only lists tools does not pay for what fetches and unpacks.
    const { startServer } = await import('./start.ts');
    return startServer(key, { place: this.#place, call });
  }

  /** Begins a start and keeps it in the map at once, so that concurrent questions share it. */
  #start(entryId: string, key: ServerKey): Entry {
    const begunAtMs = Date.now();
    const listeners = new Set<(message: string) => void>();
    const progress = announcer(listeners);
    const stop = new AbortController();
    const call = { signal: AbortSignal.any([this.#stopping.signal, stop.signal]), progress: progress.say };
    const starting = this.#startServer(key, call)
      .catch((error: unknown) => {
        // What the start says of its end is no failure of the server.
        stop.signal.throwIfAborted();
        throw error;
      })
      .finally(progress.stop);
    const entry: Entry = { starting, listeners, stop, server: undefined };
    this.#entries.set(entryId, entry);
    starting.then(
      (server) => {
        entry.server = server;
        this.#failures.forget(entryId);
        log('servers').info(`${server.name} runs for ${key.root} (pid ${server.pid})`);
      },
      (error: unknown) => {
        if (this.#entries.get(entryId) === entry) this.#entries.delete(entryId);
        if (stop.signal.aborted) return;
        this.#failures.remember(entryId, error, begunAtMs);
        log('servers').error(`Cannot start ${key.spec.name} for ${key.root}: ${messageOf(error)}`);
      },
    );
    return entry;
  }
}

function entryIdOf({ root, identity, isTrusted }: ServerKey): string {
  // A server that was started with a project's own code must not outlive the trust.
  return `${root}\0${identity}\0${isTrusted === true}`;
}

/** Whoever still wants an answer asks again, as when a server dies: {@link ServerPool.ask}. */
function stoppedAtStart(): ExpectedError {
  return new ExpectedError('server.terminated', 'The language server was stopped while it started');
}

/** A client that hears nothing for a while gives up, and building a server may take minutes. */
const heartbeatMs = 5_000;

/** Returns how to tell `listeners` what is being done; what was said last is said again, with its time, while it lasts. */
function announcer(listeners: ReadonlySet<(message: string) => void>) {
  let last = 'Starting a language server';
  let saidAt = Date.now();
  const tell = (message: string) => {
    for (const hear of listeners) hear(message);
  };
  const timer = setInterval(() => tell(`${last} (${Math.round((Date.now() - saidAt) / 1000)} s)`), heartbeatMs);
  return {
    say: (message: string) => {
      last = message;
      saidAt = Date.now();
      tell(message);
    },
    stop: () => clearInterval(timer),
  };
}

function notStarted({ spec, root }: ServerKey): ExpectedError {
  return new ExpectedError(
    'server.timed-out',
    `${spec.name} has not started for \`${root}\` in the time of this call`,
    {
      hints: ['Ask again: the start goes on', 'Raise `tool_timeout` in the configuration'],
    },
  );
}
