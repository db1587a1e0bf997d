import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { HttpClient } from './http-endpoint.ts';
import { refused } from './http-messages.ts';

interface Entry<T> {
  readonly transport: T;
  readonly client: HttpClient;
  /** Requests that are being answered, streams that are open. */
  exchanges: number;
  /** When the last of them ended, as `Date.now()` counts. */
  quietSince: number;
  timer: NodeJS.Timeout | undefined;
}

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
  add(id: string, entry: { transport: T; client: HttpClient }, over: Promise<void>): void {
    const { client } = entry;
    this.#entries.set(id, { ...entry, exchanges: 0, quietSince: Date.now(), timer: undefined });
    client.server.onclose = () => void this.#end(id, 'The client has left');
    client.server.onerror = (error) => log('mcp').debug(`Session ${shown(id)}: ${messageOf(error)}`);
    log('mcp').info(`Session ${shown(id)} began; ${this.#entries.size} open`);
    this.attend(id, over);
  }

  /**
   * Makes sure that one more client can be taken in, if need be by ending the session that was quiet for longest.
   *
   * @throws {Refused} 503 when all are busy.
   */
  async makeRoom(): Promise<void> {
    if (this.#entries.size < maxSessions) return;
    const quiet = [...this.#entries].filter(([, { exchanges }]) => exchanges === 0);
    const [oldest] = quiet.sort(([, a], [, b]) => a.quietSince - b.quietSince);
    if (oldest === undefined) throw refused(503, `The server has ${maxSessions} clients, and all are busy`);
    await this.#end(oldest[0], 'There are too many sessions');
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
