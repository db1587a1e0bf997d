import { randomUUID } from 'node:crypto';
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { Session } from '../../session/session.ts';
import type { SessionHandles } from '../session-handles.ts';
import { CallSlots } from './call-slots.ts';
import type { Exchange, HttpClient, HttpOptions } from './endpoint.ts';
import { bodyBytes, isToolCall, ownerOf, sendResponse } from './messages.ts';
import { HttpSessions } from './sessions.ts';
import { webRequest } from './web-request.ts';

/** The session of a handle and the slots for its calls. */
interface Channel {
  readonly session: Session;
  readonly slots: CallSlots;
}

/**
 * Answers requests of the stateless protocol (2026-07-28). Calls with a handle run in the session of that handle, all
 * others in one session that they share, which no call may change.
 */
export class StatelessClients {
  readonly #connect: HttpOptions['connect'];
  readonly #sessions: HttpSessions<Channel>;
  readonly #sharedSlots = new CallSlots();
  readonly #exchanges = new WeakMap<Request, Exchange>();
  readonly #handler: McpHttpHandler;
  #shared: Promise<HttpClient> | undefined;

  constructor({ connect, idleTimeoutMs }: Pick<HttpOptions, 'connect' | 'idleTimeoutMs'>) {
    this.#connect = connect;
    this.#sessions = new HttpSessions(idleTimeoutMs);
    this.#handler = createMcpHandler(
      async ({ requestInfo }) => (await this.#openShared()).createServer(this.#handlesFor(requestInfo)),
      { legacy: 'reject', onerror: (error) => log('mcp').debug(`stateless request: ${messageOf(error)}`) },
    );
  }

  /**
   * Answers a request with the parsed `body` and returns true, or returns false if it does not belong to the stateless
   * protocol.
   *
   * @throws {RefusedRequest} 429 if too many calls wait.
   */
  async answer(body: unknown, exchange: Exchange): Promise<boolean> {
    const request = webRequest(exchange);
    if (exchange.request.method !== 'POST' || (await isLegacyRequest(request, body))) return false;
    this.#exchanges.set(request, exchange);
    const handle = handleIn(body);
    const channel = handle === undefined ? undefined : this.#sessions.find(handle);
    if (handle !== undefined && channel) this.#sessions.attend(handle, exchange.closed);
    const slots = channel?.slots ?? this.#sharedSlots;
    if (isToolCall(body)) await slots.take(bodyBytes(exchange.request), exchange.closed);
    await sendResponse(await this.#handler.fetch(request, { parsedBody: body }), exchange);
    return true;
  }

  /** Ends all sessions and streams. Never rejects. */
  async close(reason: string): Promise<void> {
    await Promise.allSettled([
      this.#handler.close(),
      this.#sessions.close(reason),
      this.#shared?.then((client) => client.close(reason)),
    ]);
  }

  #openShared(): Promise<HttpClient> {
    this.#shared ??= this.#connect().catch((error: unknown) => {
      this.#shared = undefined;
      throw error;
    });
    return this.#shared;
  }

  #handlesFor(request: Request | undefined): SessionHandles {
    return {
      get: (handle) => {
        const channel = this.#sessions.find(handle);
        if (channel) return channel.session;
        throw new ExpectedError(
          'session.unknown',
          'there is no session with this handle: it has ended or never existed',
          {
            hints: ['call `initial_instructions` without `session`, which returns the handle of a new session'],
          },
        );
      },
      begin: async () => {
        const exchange = request && this.#exchanges.get(request);
        if (exchange === undefined) throw new Error('The request of a new session is unknown');
        const owner = ownerOf(exchange.request);
        await this.#sessions.makeRoom(owner);
        const client = await this.#connect();
        const handle = randomUUID();
        const { session } = client;
        this.#sessions.add(handle, { transport: { session, slots: new CallSlots() }, client, owner }, exchange.closed);
        return { handle, session };
      },
    };
  }
}

/** Returns the handle in the body of a call, if it has one. */
function handleIn(body: unknown): string | undefined {
  const handle: unknown = Object(Object(Object(body).params).arguments).session;
  return typeof handle === 'string' ? handle : undefined;
}
