import { get } from 'node:http';
import { z } from 'zod';
import { startClient, type TestClient } from './client.ts';
import { eventually } from './eventually.ts';
import { makeHome, noServers } from './homes.ts';
import { type RawAnswer, type RawRequest, rawRequest } from './raw-http.ts';

const Call = z.looseObject({ id: z.number(), tool: z.string(), state: z.string(), args: z.string() });
const State = z.looseObject({
  sessions: z.array(z.looseObject({ client: z.string().optional(), project: z.string().optional() })),
  projects: z.array(z.looseObject({ root: z.string() })),
  usage: z.array(z.looseObject({ tool: z.string(), calls: z.number() })),
});
const Update = z.object({
  state: State.optional(),
  calls: z.array(Call).optional(),
  logs: z.array(z.looseObject({ message: z.string() })).optional(),
});

/** Starts a client of its own server, whose dashboard agents may open. */
export function startWithDashboard(
  project: string,
  config: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<TestClient> {
  const home = makeHome({ ...noServers(), web_dashboard: true, ...config });
  return startClient({ args: ['--project', project], env: { SERENA_HOME: home, ...env } });
}

/** Returns the URL that the tool `open_dashboard` gives where there is no browser. */
export async function linkOf(client: TestClient): Promise<string> {
  const answer = await client.ask('open_dashboard');
  const [url] = /http:\S+(?=,)/.exec(answer) ?? [];
  if (url === undefined) throw new Error(`No URL: ${answer}`);
  return url;
}

/** Exchanges the token of a link. */
export function signIn(link: string, request: RawRequest = {}): Promise<RawAnswer> {
  const { origin, hash } = new URL(link);
  return rawRequest(`${origin}/api/sign-in`, {
    method: 'POST',
    body: JSON.stringify({ token: hash.slice('#token='.length) }),
    ...request,
    headers: { Origin: origin, 'Content-Type': 'application/json', ...request.headers },
  });
}

/** A page that has signed in, without a browser. */
export class TestPage {
  readonly origin: string;
  readonly cookie: string;
  readonly key: string;

  private constructor(origin: string, { cookie, key }: { cookie: string; key: string }) {
    this.origin = origin;
    this.cookie = cookie;
    this.key = key;
  }

  static async open(link: string): Promise<TestPage> {
    const { status, headers, text } = await signIn(link);
    if (status !== 200) throw new Error(text);
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    return new TestPage(new URL(link).origin, { cookie, ...z.object({ key: z.string() }).parse(JSON.parse(text)) });
  }

  /** Sends a request of the page; `headers` replace its own, and those that are `undefined` are left out. */
  send(path: string, { headers, ...request }: RawRequest = {}): Promise<RawAnswer> {
    const own = { Cookie: this.cookie, 'X-Serena-Key': this.key, 'Content-Type': 'application/json' };
    const origin = request.method === 'POST' ? { Origin: this.origin } : {};
    const all = Object.entries({ ...own, ...origin, ...headers }).filter(([, value]) => value !== undefined);
    return rawRequest(`${this.origin}/api/${path}`, { ...request, headers: Object.fromEntries(all) });
  }

  async read(path: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> {
    return answerOf(await this.send(`${path}?${new URLSearchParams(query)}`));
  }

  async post(path: string, body: object): Promise<unknown> {
    return answerOf(await this.send(path, { method: 'POST', body: JSON.stringify(body) }));
  }

  /** Follows what the server sends, from the begin, until `probe` returns something, and returns that. */
  async until<T>(what: string, probe: (seen: Seen) => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
    const seen: Seen = { state: undefined, calls: new Map(), logs: [] };
    const headers = { Cookie: this.cookie, 'X-Serena-Key': this.key };
    const request = get(`${this.origin}/api/feed`, { headers, agent: false }, (response) => {
      let rest = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const events = (rest + chunk).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) if (event.startsWith('data: ')) take(event.slice('data: '.length), seen);
      });
      response.on('error', () => undefined);
    });
    request.on('error', () => undefined);
    try {
      return await eventually(what, () => probe(seen));
    } finally {
      request.destroy();
    }
  }
}

interface Seen {
  state: z.infer<typeof State> | undefined;
  readonly calls: Map<number, z.infer<typeof Call>>;
  readonly logs: string[];
}

function take(event: string, seen: Seen): void {
  const { state, calls = [], logs = [] } = Update.parse(JSON.parse(event));
  seen.state = state ?? seen.state;
  for (const call of calls) seen.calls.set(call.id, call);
  seen.logs.push(...logs.map(({ message }) => message));
}

function answerOf({ status, text }: RawAnswer): unknown {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text);
}
