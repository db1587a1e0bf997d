import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { HttpClient } from './endpoint.ts';
import { refused } from './messages.ts';

interface Entry<T> {
  readonly transport: T;
  readonly client: HttpClient;
  /** Who the client is, as far as it says and as its address shows. */
  readonly owner: string;
  /** How many requests it has sent. */
  uses: number;
  /** Requests that are being answered, streams that are open. */
  exchanges: number;
  /** When the last of them ended, as `Date.now()` counts. */
  quietSince: number;
  timer: NodeJS.Timeout | undefined;
}

/** A client with more sessions than this makes room for one that has none. */
const fewSessions = 16;

/** More clients than one person's agents are; a client that begins anew with every call must not pile up sessions. */
const maxSessions = 256;

/** The sessions of the clients that are connected, by their ids. `T` is the transport that they speak through. */
export class HttpSessions<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #ending = new Set<Promise<void>>();
  readonly #idleTimeoutMs: number | undefined;

  /** A session without any open exchange for `idleTimeoutMs` ends; without a limit it lasts until its client ends it. */
  constructor(idleTimeoutMs: number | undefined) {
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  /** Takes in a client; `over` is the end of the exchange that it came with. */
  add(id: string, entry: { transport: T; client: HttpClient; owner: string }, over: Promise<void>): void {
    const { client } = entry;
    this.#entries.set(id, { ...entry, uses: 0, exchanges: 0, quietSince: Date.now(), timer: undefined });
    client.server.onclose = () => void this.#end(id, 'The client has left');
    client.server.onerror = (error) => log('mcp').debug(`Session ${shown(id)}: ${messageOf(error)}`);
    log('mcp').info(`Session ${shown(id)} began; ${this.#entries.size} open`);
    this.attend(id, over);
  }

  /**
   * Makes sure that one more session of `owner` can be taken in, if need be by ending a quiet one: of its own, or of the
   * owner that has by far the most. Of these the one ends that was used least, and of several the one quiet for longest.
   *
   * @throws {Refused} 503 when there is none.
   */
  async makeRoom(owner: string): Promise<void> {
    if (this.#entries.size < maxSessions) return;
    const byOwner = Map.groupBy(this.#entries, ([, entry]) => entry.owner);
    const most = [...byOwner.values()].sort((a, b) => b.length - a.length)[0] ?? [];
    const candidates = [...quietest(byOwner.get(owner) ?? []), ...(most.length > fewSessions ? quietest(most) : [])];
    const [id] = candidates[0] ?? [];
    if (id === undefined)
      throw refused(503, `The server has ${maxSessions} sessions, and none of them may end for another`);
    await this.#end(id, 'There are too many sessions');
  }

  /** Returns the transport of a session. @throws {Refused} 404 for an id that is not in use. */
  get(id: string): T {
    const entry = this.#entries.get(id);
    if (entry) return entry.transport;
    throw refused(404, 'Session not found: it has ended, or this server never had it. Send `initialize` again', -32001);
  }

  /** Counts an exchange as one of the session until it is `over`. */
  attend(id: string, over: Promise<void>): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.exchanges++;
    entry.uses++;
    clearTimeout(entry.timer);
    void over.then(() => {
      entry.exchanges--;
      entry.quietSince = Date.now();
      if (entry.exchanges === 0) this.#waitForMore(id, entry);
    });
  }

  /** Ends every session. Never rejects. */
  async close(reason: string): Promise<void> {
    for (const id of [...this.#entries.keys()]) void this.#end(id, reason);
    await Promise.all(this.#ending);
  }

  #waitForMore(id: string, entry: Entry<T>): void {
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

/** Returns the sessions without an open exchange, the one that is missed least first. */
function quietest<T>(entries: readonly [string, Entry<T>][]): readonly [string, Entry<T>][] {
  return entries
    .filter(([, { exchanges }]) => exchanges === 0)
    .sort(([, a], [, b]) => a.uses - b.uses || a.quietSince - b.quietSince);
}

/** Whoever knows a whole id may speak as its client: a log does not have it. */
function shown(id: string): string {
  return id.slice(0, 8);
}

/** Calls that run are answered first: whoever waits for one hears why it ended. */
async function endClient(client: HttpClient, reason: string): Promise<void> {
  try {
    await client.close(reason);
    await client.server.close();
  } catch (error) {
    log('mcp').warn(`Cannot end a session: ${messageOf(error)}`);
  }
}
