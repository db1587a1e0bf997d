import { createServer, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { pause } from '../base/deadline.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { recentLog } from '../base/recent-log.ts';
import { Access, RefusedRequest } from './access.ts';
import {
  type Exchange,
  readBody,
  requireMethod,
  routes,
  safeHeaders,
  sendAsset,
  sendFailure,
  sendJson,
} from './routes.ts';
import type { DashboardSource } from './source.ts';

/** Where a dashboard listens. */
export interface DashboardPlace {
  /** A loopback address. */
  readonly address: string;
  /** Further host names that its URL may have. */
  readonly names: readonly string[];
}

/** A page on loopback that shows and controls this process. It listens from the first {@link link} on. */
export class Dashboard {
  readonly #source: DashboardSource;
  readonly #onWatchers: (count: number) => void;
  #listening: Promise<{ server: Server; access: Access; origin: string }> | undefined;
  #watchers = 0;

  /** `onWatchers` is called with the number of open pages whenever it changes. */
  constructor(source: DashboardSource, onWatchers: (count: number) => void = () => undefined) {
    this.#source = source;
    this.#onWatchers = onWatchers;
  }

  /** True while a page is open. */
  get isWatched(): boolean {
    return this.#watchers > 0;
  }

  /**
   * Returns a URL that signs one page in. `place` counts the first time.
   *
   * @throws {ExpectedError} `http.cannot-listen`.
   */
  async link(place: DashboardPlace): Promise<string> {
    this.#listening ??= this.#listen(place).catch((error: unknown) => {
      this.#listening = undefined;
      throw cannotListen(place, error);
    });
    const { access, origin } = await this.#listening;
    // Browsers do not send the part after `#`, so that no log and no referrer contains it.
    return `${origin}/#token=${access.newToken()}`;
  }

  /** Stops listening. Never rejects. */
  async close(): Promise<void> {
    const listening = await this.#listening?.catch(() => undefined);
    listening?.server.close();
    listening?.server.closeAllConnections();
  }

  async #listen({ address, names }: DashboardPlace) {
    const server = createServer();
    const port = await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: address, port: 0 }, () => {
        const bound = server.address();
        resolve(bound !== null && typeof bound === 'object' ? bound.port : 0);
      });
    });
    const name = address.includes(':') ? `[${address}]` : address;
    const access = new Access([name, 'localhost', ...names], port);
    server.on('error', (error) => log('dashboard').error(messageOf(error)));
    server.on('request', (request, response) => void this.#serve({ request, response }, access));
    const origin = `http://${name}:${port}`;
    log('dashboard').info(`The dashboard listens on ${origin}`);
    return { server, access, origin };
  }

  async #serve({ request, response }: Omit<Exchange, 'url'>, access: Access): Promise<void> {
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
    response.on('error', (error) => log('dashboard').debug(messageOf(error)));
    try {
      access.requireOwnOrigin(request);
      const url = URL.parse(request.url ?? '/', 'http://localhost');
      if (url === null) throw new RefusedRequest(400, 'this URL is malformed');
      if (url.pathname.startsWith('/api/')) await this.#answer({ request, response, url }, access);
      else sendAsset({ request, response, url });
    } catch (error) {
      sendFailure(error, { request, response });
    }
  }

  async #answer({ request, response, url }: Exchange, access: Access): Promise<void> {
    const path = url.pathname.slice('/api/'.length);
    if (path === 'sign-in') return await signIn({ request, response, url }, access);
    const page = access.requirePage(request);
    const open = path === 'feed' ? page.feeds : page.requests;
    open.add(response, (reason) => sendFailure(reason, { request, response }));
    if (path === 'feed') return await this.#feed({ request, response, url });
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined) throw new RefusedRequest(404, 'not found');
    requireMethod(request, route.method);
    const sent = route.method === 'GET' ? Object.fromEntries(url.searchParams) : await readBody(request);
    const ended = new AbortController();
    response.once('close', () => ended.abort(new ExpectedError('tool.cancelled', 'the page has gone')));
    sendJson(await route.run(sent, this.#source, ended.signal), response);
  }

  async #feed({ request, response }: Exchange): Promise<void> {
    requireMethod(request, 'GET');
    const count = (change: number) => {
      this.#watchers += change;
      this.#onWatchers(this.#watchers);
    };
    count(1);
    response.once('close', () => count(-1));
    await sendFeed(response, this.#source);
  }
}

async function signIn({ request, response }: Exchange, access: Access): Promise<void> {
  requireMethod(request, 'POST');
  const { token } = z.object({ token: z.string() }).parse(await readBody(request));
  const { cookie, key } = access.signIn(token);
  response.setHeader('Set-Cookie', cookie);
  sendJson({ key }, response);
}

function cannotListen({ address }: DashboardPlace, error: unknown): ExpectedError {
  return new ExpectedError('http.cannot-listen', `cannot listen on \`${address}\`: ${messageOf(error)}`, {
    hints: ['set `web_dashboard_listen_address` to 127.0.0.1'],
    cause: error,
  });
}

/** Time between two checks for changes. */
const lookMs = 500;
/** Measuring the memory reads the processes of the machine. */
const looksPerMeasurement = 4;
/** Time after which the page receives a sign that the process still runs. */
const looksPerSign = 20;

/** Sends the data of the page and each change as server-sent events, until the page has gone. */
async function sendFeed(response: ServerResponse, source: DashboardSource): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  let [change, logId, sent] = [0, 0, ''];
  let memory = await source.budget.state();
  for (let look = 1; !response.destroyed && !response.writableEnded; look++) {
    if (look > 1) await pause(lookMs);
    // The page does not read: it gets the changes later.
    if (response.writableNeedDrain) continue;
    if (look % looksPerMeasurement === 0) memory = await source.budget.state();
    const calls = source.activity.callsSince(change);
    change = source.activity.changeCount;
    const logs = recentLog.since(logId);
    logId = logs.at(-1)?.id ?? logId;
    const state = JSON.stringify(stateOf(source, memory));
    const parts = [
      ...(state === sent ? [] : [`"state":${state}`]),
      ...(calls.length === 0 ? [] : [`"calls":${JSON.stringify(calls)}`]),
      ...(logs.length === 0 ? [] : [`"logs":${JSON.stringify(logs)}`]),
    ];
    sent = state;
    // JSON has no line breaks.
    if (parts.length > 0) response.write(`data: {${parts.join(',')}}\n\n`);
    else if (look % looksPerSign === 0) response.write(':\n\n');
  }
}

function stateOf(source: DashboardSource, memory: Awaited<ReturnType<DashboardSource['budget']['state']>>) {
  const { version, logPath, activity } = source;
  const open = source.projects().flatMap((projects) =>
    projects.roots.map((root) => {
      const failures = [...projects.servers.failuresOf(root)].map(([id, reason]) => ({ id, reason }));
      const servers = projects.servers.statusOf(root).map(({ pid = 0, ...server }) => {
        return { ...server, pid, bytes: memory?.servers.get(pid) };
      });
      return { root, servers, failures };
    }),
  );
  const { usedBytes, budgetBytes } = memory ?? {};
  const { sessions, usage } = activity;
  const { installations } = source.servers;
  return { version, logPath, pid: process.pid, usedBytes, budgetBytes, sessions, usage, projects: open, installations };
}
