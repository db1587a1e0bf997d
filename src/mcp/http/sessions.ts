import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { type HttpClient, refused } from './messages.ts';

interface Entry<T> {
  readonly transport: T;
  readonly client: HttpClient;
  /** See {@link ownerOf}. */
  readonly owner: string;
  uses: number;
  /** Number of requests being answered and of open streams. */
  exchanges: number;
  /** `performance.now()` when the last of them ended. */
  quietSince: number;
  timer: NodeJS.Timeout | undefined;
}

/** An owner with more sessions may lose a session to a client of another owner. */
const fairShare = 16;

/** More than the agents of one person need. Without a limit, a client that starts a session per call would pile them up. */
const maxSessions = 256;

/** The sessions of the connected clients by id. `T` is the type of their transport. */
export class HttpSessions<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #ending = new Set<Promise<void>>();
  readonly #idleTimeoutMs: number | undefined;

  /** A session ends after `idleTimeoutMs` without an open exchange; with `undefined`, when its client ends it. */
  constructor(idleTimeoutMs: number | undefined) {
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  /** Adds a client; `closed` is the end of the exchange that started its session. */
  add(id: string, entry: { transport: T; client: HttpClient; owner: string }, closed: Promise<void>): void {
    const { client } = entry;
    this.#entries.set(id, { ...entry, uses: 0, exchanges: 0, quietSince: performance.now(), timer: undefined });
    client.server.onclose = () => void this.#end(id, 'The client disconnected');
    client.server.onerror = (error) => log('mcp').debug(`Session ${shown(id)}: ${messageOf(error)}`);
    log('mcp').info(`Session ${shown(id)} started; ${this.#entries.size} open`);
    this.attend(id, closed);
  }

  /**
   * Makes room for one more session of `owner`. At the limit it ends a quiet session of that owner, else of the owner with
   * the most sessions, if these are more than a fair share. The session with the fewest requests ends; of several, the
   * session that has been quiet longest.
   *
   * @throws {RefusedRequest} 503 if no session may end.
   */
  async makeRoom(owner: string): Promise<void> {
    if (this.#entries.size < maxSessions) return;
    const byOwner = Map.groupBy(this.#entries, ([, entry]) => entry.owner);
    const most = [...byOwner.values()].sort((a, b) => b.length - a.length)[0] ?? [];
    const candidates = [...quietest(byOwner.get(owner) ?? []), ...(most.length > fairShare ? quietest(most) : [])];
    const [id] = candidates[0] ?? [];
    if (id === undefined)
      throw refused(
        503,
        `the server has ${maxSessions} sessions, which is the maximum, and none of them may be ended for a new one`,
      );
    await this.#end(id, 'Another session needed the slot');
  }

  /** Returns the transport of a session, or `undefined` for an unknown id. */
  find(id: string): T | undefined {
    return this.#entries.get(id)?.transport;
  }

  /** Returns the transport of a session. @throws {RefusedRequest} 404 for an unknown id. */
  get(id: string): T {
    const transport = this.find(id);
    if (transport !== undefined) return transport;
    throw refused(404, 'Session not found: it has ended or never existed. Send `initialize` again', -32001);
  }

  /** Counts an exchange of the session as open until it is `closed`. */
  attend(id: string, closed: Promise<void>): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.exchanges++;
    entry.uses++;
    clearTimeout(entry.timer);
    void closed.then(() => {
      entry.exchanges--;
      entry.quietSince = performance.now();
      if (entry.exchanges === 0) this.#startIdleTimer(id, entry);
    });
  }

  /** Ends every session. Never rejects. */
  async close(reason: string): Promise<void> {
    for (const id of [...this.#entries.keys()]) void this.#end(id, reason);
    await Promise.all(this.#ending);
  }

  #startIdleTimer(id: string, entry: Entry<T>): void {
    if (this.#idleTimeoutMs === undefined || !this.#entries.has(id)) return;
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => void this.#end(id, 'The client was idle for too long'), this.#idleTimeoutMs);
    entry.timer.unref();
  }

  #end(id: string, reason: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (!entry) return Promise.resolve();
    this.#entries.delete(id);
    clearTimeout(entry.timer);
    log('mcp').info(`Session ${shown(id)} ends: ${reason}; ${this.#entries.size} open`);
    const ending = endClient(entry.client, reason).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    return ending;
  }
}

/** Returns the sessions without an open exchange, in the order in which they may end. */
function quietest<T>(entries: readonly [string, Entry<T>][]): readonly [string, Entry<T>][] {
  return entries
    .filter(([, { exchanges }]) => exchanges === 0)
    .sort(([, a], [, b]) => a.uses - b.uses || a.quietSince - b.quietSince);
}

/** Shortens an id for the log: whoever knows the whole id can act as its client. */
function shown(id: string): string {
  return id.slice(0, 8);
}

/** Cancels running calls before it closes the connection, so that their answers with the reason are still sent. */
async function endClient(client: HttpClient, reason: string): Promise<void> {
  try {
    await client.close(reason);
    await client.server.close();
  } catch (error) {
    log('mcp').warn(`cannot end a session: ${messageOf(error)}`);
  }
}
