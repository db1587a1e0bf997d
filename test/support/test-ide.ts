import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';

/** Ports on which JetBrains IDEs listen. */
const ports = Array.from({ length: 20 }, (_, index) => 24226 + index);

const path = z.string();
const namePath = z.string().nullable();
const target = { namePath, relativePath: path };

/** Every request of the IDE plugin's contract, with exactly its keys (see docs/compatibility.md). */
const bodies = {
  '/findSymbol': z.strictObject({
    namePath: z.string(),
    relativePath: path.nullable(),
    includeBody: z.boolean(),
    depth: z.int(),
    includeLocation: z.boolean(),
    searchDeps: z.boolean(),
    includeQuickInfo: z.boolean(),
    includeDocumentation: z.boolean(),
    includeNumUsages: z.boolean(),
  }),
  '/findReferences': z.strictObject({ namePath: z.string(), relativePath: path, includeQuickInfo: z.literal(false) }),
  '/getSymbolsOverview': z.strictObject({ relativePath: path, depth: z.int(), includeFileDocumentation: z.boolean() }),
  '/getSupertypes': z.strictObject({ ...target, depth: z.int().nullable(), limitChildren: z.null() }),
  '/getSubtypes': z.strictObject({ ...target, depth: z.int().nullable(), limitChildren: z.null() }),
  '/findDeclaration': z.strictObject({
    relativePath: path,
    line: z.int().min(0),
    col: z.int().min(0),
    includeBody: z.boolean(),
    includeQuickInfo: z.literal(false),
  }),
  '/findImplementations': z.strictObject({
    relativePath: path,
    namePath: z.string(),
    includeQuickInfo: z.literal(false),
  }),
  '/renameSymbol': z.strictObject({
    ...target,
    newName: z.string(),
    renameInComments: z.boolean(),
    renameInTextOccurrences: z.boolean(),
  }),
  '/moveSymbol': z.strictObject({ ...target, targetParentNamePath: namePath, targetRelativePath: path.nullable() }),
  '/safeDelete': z.strictObject({ ...target, deleteEvenIfUsed: z.boolean(), propagate: z.boolean() }),
  '/inlineSymbol': z.strictObject({ namePath: z.string(), relativePath: path, keepDefinition: z.boolean() }),
  '/debugReplEval': z.strictObject({ replKey: z.string(), expression: z.string() }),
  '/debugReplClose': z.strictObject({ replKey: z.string() }),
  '/runInspectionsOnFile': z.strictObject({
    relativePath: path,
    minSeverity: z.string().optional(),
    inspectionNames: z.array(z.string()).optional(),
    startLine: z.int().min(1).optional(),
    endLine: z.int().min(1).optional(),
  }),
  '/listInspections': z.strictObject({ language: z.string().optional(), groupPathContains: z.string().optional() }),
  '/readFile': z.strictObject({ relativePath: path }),
} as const satisfies Record<string, z.ZodObject>;

export type Endpoint = keyof typeof bodies;

/** Scripted reaction to a request: a JSON response, any other response, no response, or a closed connection. */
export type Scripted =
  | { readonly json: unknown }
  | { readonly status?: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  | 'never'
  | 'hang up';

/** Answers of an IDE that finds nothing, for the endpoints whose answer is not an empty object. */
export const emptyIdeAnswers: NonNullable<TestIdeOptions['answers']> = {
  '/findSymbol': { json: { symbols: [] } },
  '/findReferences': { json: { symbols: [] } },
  '/getSymbolsOverview': { json: { symbols: [] } },
  '/findDeclaration': { json: { symbols: [] } },
  '/findImplementations': { json: { symbols: [] } },
  '/listInspections': { json: { inspections: [] } },
};

export interface TestIdeOptions {
  /** Project root as the IDE reports it. */
  readonly root: string;
  readonly version?: string;
  readonly answers?: Readonly<Partial<Record<Endpoint, Scripted>>>;
  /** Replaces the usual response to `GET /status`. */
  readonly status?: Scripted;
}

/** An HTTP server that simulates a JetBrains IDE with the plugin and rejects requests outside the contract. */
export class TestIde {
  readonly port: number;
  /** Requests that follow the contract, in order. */
  readonly requests: { readonly endpoint: Endpoint; readonly body: unknown }[] = [];
  /** Number of status requests. */
  statusCount = 0;
  /** Requests outside the contract; they fail the test when the IDE is closed. */
  readonly problems: string[] = [];
  readonly #server: Server;
  readonly #answers: Map<string, Scripted>;
  readonly #options: TestIdeOptions;

  private constructor(server: Server, port: number, options: TestIdeOptions) {
    this.#server = server;
    this.port = port;
    this.#options = options;
    this.#answers = new Map(Object.entries(options.answers ?? {}));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#handle(request, response));
  }

  /** Starts an IDE on the first free port of JetBrains IDEs. @throws {Error} if all are in use. */
  static async start(options: TestIdeOptions): Promise<TestIde> {
    for (const port of ports) {
      const server = await tryListen(port);
      if (server) return new TestIde(server, port, options);
    }
    throw new Error(`Every port from ${ports[0]} to ${ports.at(-1)} is in use`);
  }

  /** Sets the reaction to requests to `endpoint` from now on. */
  answer(endpoint: Endpoint, scripted: Scripted): void {
    this.#answers.set(endpoint, scripted);
  }

  /** Clears `requests`, but not `problems`. */
  forget(): void {
    this.requests.length = 0;
  }

  /** The last request that follows the contract. */
  get last(): { readonly endpoint: Endpoint; readonly body: unknown } | undefined {
    return this.requests.at(-1);
  }

  /** Returns the number of open connections. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  /** @throws {Error} that lists the requests outside the contract. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
    if (this.problems.length > 0)
      throw new Error(`The IDE got requests outside its contract:\n${this.problems.join('\n')}`);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const { method, url = '' } = request;
    if (url === '/status' && method === 'GET' && text === '') {
      this.statusCount++;
      const { root, version = '2024.1.0', status } = this.#options;
      play(status ?? { json: { projectRoot: root, pluginVersion: version } }, request, response);
      return;
    }
    const problem = this.#problemOf(request, text);
    if (problem === undefined) {
      play(this.#answers.get(url) ?? { json: {} }, request, response);
      return;
    }
    this.problems.push(problem);
    play({ status: 400, text: JSON.stringify({ error: problem }) }, request, response);
  }

  #problemOf({ method, url = '', headers }: IncomingMessage, text: string): string | undefined {
    if (!isEndpoint(url)) return `There is no \`${url}\``;
    if (method !== 'POST') return `\`${url}\` takes POST, not ${method}`;
    if (headers['content-type'] !== 'application/json') return `\`${url}\` got ${headers['content-type']}`;
    try {
      this.requests.push({ endpoint: url, body: bodies[url].parse(JSON.parse(text)) });
      return undefined;
    } catch (error) {
      return `\`${url}\` got ${text}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

/** Returns the reason why `count` IDEs cannot run at once here, or `undefined` if they can. */
export async function whyNoIde(count: number): Promise<string | undefined> {
  const servers = (await Promise.all(ports.map(tryListen))).filter((server) => server !== undefined);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return servers.length >= count ? undefined : 'other programs listen on the ports of JetBrains IDEs';
}

function isEndpoint(url: string): url is Endpoint {
  return url in bodies;
}

function tryListen(port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function play(scripted: Scripted, request: IncomingMessage, response: ServerResponse): void {
  if (scripted === 'never') return;
  if (scripted === 'hang up') {
    request.socket.destroy();
    return;
  }
  if ('json' in scripted) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(scripted.json));
    return;
  }
  response.writeHead(scripted.status ?? 200, { ...scripted.headers }).end(scripted.text);
}
