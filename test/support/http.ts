import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type Answer,
  type CallOptions,
  callTool,
  installEnv,
  makeSdkClient,
  programCommand,
  type Runtime,
} from './client.ts';
import { eventually } from './eventually.ts';
import { markVariable } from './processes.ts';
import { sharedHome } from './temp.ts';

export type HttpTransport = 'streamable-http' | 'sse';

export const httpTransports: readonly HttpTransport[] = ['streamable-http', 'sse'];

export interface HttpServerOptions {
  readonly transport: HttpTransport;
  /** Arguments after `start-mcp-server --symbol-source server --transport … --port 0`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly runtime?: Runtime;
}

export interface ConnectOptions {
  /** Absolute paths that the client offers as roots. */
  readonly roots?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An MCP client of the SDK, connected over HTTP. */
export class HttpTestClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport | SSEClientTransport;

  constructor(client: Client, transport: StreamableHTTPClientTransport | SSEClientTransport) {
    this.client = client;
    this.transport = transport;
  }

  /** Calls a tool. A tool's failure is an answer (`isError`); only a protocol error or a timeout rejects. */
  call(name: string, args: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<Answer> {
    return callTool(this.client, { name, args }, options);
  }

  /**
   * Calls a tool that must succeed and returns its first text block. @throws {Error} with the answer if the tool fails.
   */
  async ask(name: string, args: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<string> {
    const answer = await this.call(name, args, options);
    if (answer.isError) throw new Error(`\`${name}\` failed: ${answer.text}`);
    return answer.text;
  }

  /** Ends the session as the transport prescribes. */
  async leave(): Promise<void> {
    if (this.transport instanceof StreamableHTTPClientTransport) await this.transport.terminateSession();
    await this.client.close();
  }

  /** Drops every connection without ending the session, as a killed client does. */
  async vanish(): Promise<void> {
    await this.client.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

/** Our server in its own process, listening on a free port. */
export class HttpServer {
  readonly child: ChildProcess;
  readonly mark: string;
  readonly transport: HttpTransport;
  /** Resolves with exit code and signal. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  stdout = '';
  stderr = '';

  constructor(child: ChildProcess, options: { mark: string; transport: HttpTransport }) {
    this.child = child;
    this.mark = options.mark;
    this.transport = options.transport;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  /** URL that the server printed. @throws {Error} if it has not printed one yet. */
  get url(): string {
    const found = /^Serena listens on (\S+)$/m.exec(this.stderr)?.[1];
    if (found === undefined) throw new Error(`the server has not printed its URL:\n${this.stderr}`);
    return found;
  }

  /** Tokens that the server has printed, one for each time. */
  get tokens(): readonly string[] {
    return [...this.stderr.matchAll(/Authorization: Bearer ([\w-]+)/g)].map(([, token = '']) => token);
  }

  /** Connects a client; `url` may be another URL of the same server. */
  async connect(options: ConnectOptions = {}, url: string = this.url): Promise<HttpTestClient> {
    const client = makeSdkClient(options.roots);
    const init = { requestInit: { headers: { ...options.headers } } };
    const transport =
      this.transport === 'sse'
        ? new SSEClientTransport(new URL(url), init)
        : new StreamableHTTPClientTransport(new URL(url), init);
    // `Object.assign`: the SDK declares optional members of the class and of its interface differently.
    await client.connect(Object.assign(transport, {}));
    return new HttpTestClient(client, transport);
  }

  /** Number of open sessions according to the last log line about it. */
  get sessions(): number {
    return Number([...this.stderr.matchAll(/Session \S+ .*?(\d+) open$/gm)].at(-1)?.[1] ?? 0);
  }

  async stop(
    signal: NodeJS.Signals = 'SIGTERM',
  ): Promise<{ readonly code: number | null; readonly signal: string | null }> {
    this.child.kill(signal);
    return await this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/**
 * Starts `start-mcp-server` with an HTTP transport and waits until it listens. @throws {Error} with its stderr if it
 * exits.
 */
export async function startHttp(options: HttpServerOptions): Promise<HttpServer> {
  const mark = randomUUID();
  const serve = ['start-mcp-server', '--symbol-source', 'server'];
  const args = [...serve, '--transport', options.transport, '--port', '0', ...(options.args ?? [])];
  const [command, ...rest] = programCommand(args, options.runtime);
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...installEnv(), SERENA_HOME: sharedHome(), [markVariable]: mark, ...options.env };
  const child = spawn(command, rest, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.cwd ? { cwd: options.cwd } : {}),
  });
  const server = new HttpServer(child, { mark, transport: options.transport });
  let hasEnded = false;
  void server.exited.then(() => {
    hasEnded = true;
  });
  await eventually('the server to listen', () => hasEnded || server.stderr.includes('Serena listens on'));
  if (hasEnded) throw new Error(`The server exited:\n${server.stderr}`);
  return server;
}
