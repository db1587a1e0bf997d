import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import type { InstallRequest } from '../../src/install/install.ts';
import type { ArchiveSource } from '../../src/install/source/source.ts';
import { makeTempDir } from '../support/temp.ts';

export interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A file server on loopback, like a release site or a mirror. */
export class FileServer {
  readonly files = new Map<string, Uint8Array>();
  readonly requests: Seen[] = [];
  /** Set by tests of bad servers: handlers that each answer one request in place of this server. */
  readonly answers: Answer[] = [];
  readonly #server: Server & { closeAllConnections(): void };
  readonly #scheme: string;

  constructor(tls?: { key: string; cert: string }) {
    const listener: RequestListener = (request, response) => this.#answer(request, response);
    this.#server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
    this.#scheme = tls === undefined ? 'http' : 'https';
  }

  static async start(tls?: { key: string; cert: string }): Promise<FileServer> {
    const server = new FileServer(tls);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The server does not listen');
    return address.port;
  }

  /** Ends with `/`. */
  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push({ path: request.url ?? '', headers: request.headers });
    const answer = this.answers.shift();
    if (answer !== undefined) return void answer(request, response);
    const content = this.files.get(request.url ?? '');
    if (content === undefined) return void response.writeHead(404).end();
    // pip requires the content type of an HTML page.
    if (request.url?.endsWith('/')) response.setHeader('content-type', 'text/html');
    response.writeHead(200, { 'content-length': content.length, etag: `"${content.length}"` }).end(content);
  }
}

/** Answers with the requested range of the file, like servers that support resuming. */
export function sendRange(content: Uint8Array): Answer {
  return (request, response) => {
    const [, from = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const rest = content.subarray(Number(from));
    const range = `bytes ${from}-${content.length - 1}/${content.length}`;
    const status = request.headers.range === undefined ? 200 : 206;
    response.writeHead(status, { 'content-length': rest.length, 'content-range': range, etag: '"v1"' }).end(rest);
  };
}

/** Announces the file, sends this many bytes and closes the connection. */
export function breakOff(content: Uint8Array, sentBytes: number): Answer {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': content.length, etag: '"v1"' });
    response.write(content.subarray(0, sentBytes), () => setTimeout(() => response.destroy(), 20));
  };
}

/** Announces the file, sends this many bytes and then nothing. */
export function stall(content: Uint8Array, sentBytes: number): Answer {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, sentBytes));
  };
}

/** Sends the requested range of the file byte by byte, with an entity tag, until the client closes the connection. */
export function trickle(content: Uint8Array, everyMs: number): Answer {
  return (request, response) => {
    let at = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const range = at > 0 ? { 'content-range': `bytes ${at}-${content.length - 1}/${content.length}` } : {};
    response.writeHead(at > 0 ? 206 : 200, { etag: '"v1"', 'content-length': content.length - at, ...range });
    const timer = setInterval(() => response.write(content.subarray(at, ++at)), everyMs);
    response.once('close', () => clearInterval(timer));
  };
}

export function redirect(to: string): Answer {
  return (_request, response) => void response.writeHead(302, { location: to }).end();
}

export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (_request, response) => void response.writeHead(code, headers).end('no');
}

export function sha256Of(bytes: Uint8Array): string {
  return `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
}

/** Returns the path of these bytes on a mirror. */
export function mirrorPath(integrity: string): string {
  const [algorithm = '', digest = ''] = integrity.split(/-(.*)/s);
  return `/${algorithm}/${Buffer.from(digest, 'base64').toString('hex')}`;
}

/**
 * Returns a request for server `demo`, in a new home directory, which is the release `file` at `url` (with `{file}` in
 * it), with this content according to the lock.
 */
export function releaseRequest(
  url: string,
  content: Uint8Array,
  { file = 'demo', bin = 'demo', ...more }: { file?: string; bin?: string } & Partial<InstallRequest> = {},
): InstallRequest {
  const home = makeTempDir('home');
  const source: ArchiveSource = { from: 'archive', version: '1.0.0', url, assets: { any: { file, bin } } };
  const files = { [file]: { integrity: sha256Of(content), sizeBytes: content.length } };
  const lock = { servers: { demo: { source: 'archive', version: '1.0.0', files } as const } };
  const timing = { retryDelaysMs: [1, 1, 1, 1], idleTimeoutMs: 300 };
  return { id: 'demo', source, home, env: { HOME: home, PATH: '' }, lock, timing, ...more };
}
