import type { IncomingMessage, ServerResponse } from 'node:http';
import { InitializeRequestSchema } from '@modelcontextprotocol/core';
import { isJsonContentType, type Server } from '@modelcontextprotocol/server';
import { parseBoundedJson } from '../../base/bounded-json.ts';
import { within } from '../../base/deadline.ts';
import { messageOf } from '../../base/errors.ts';
import type { Session } from '../../session/session.ts';
import type { SessionHandles } from '../stateless-calls.ts';
import type { Refusal } from './access.ts';

/** Options for serving clients over HTTP. */
export interface HttpOptions {
  readonly transport: 'streamable-http' | 'sse';
  /** Name or numeric address to listen on. */
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Further host names of this machine that clients may use. */
  readonly allowedHosts: readonly string[];
  /** Token required in every request. Without it one is generated where the address needs one. */
  readonly token: string | undefined;
  readonly idleTimeoutMs: number | undefined;
  /** Creates the server and session for a new client. @throws {ExpectedError} `config.invalid`. */
  readonly connect: () => Promise<HttpClient>;
}

/** One client: its session and its MCP server, and how to end the session. */
export interface HttpClient {
  readonly session: Session;
  /** Not yet connected. */
  readonly server: Server;
  /** Returns a further server of this session, for one request of clients that have no connection. */
  createServer(handles: SessionHandles): Server;
  /** Cancels running calls, which fail with `reason`, and releases the client's projects. Never rejects. */
  close(reason: string): Promise<void>;
}

export interface Endpoint {
  /** The paths that it serves, without a trailing slash; the URL for clients has the first. */
  readonly paths: readonly [string, ...string[]];
  /** Answers a request for one of the paths. @throws {RefusedRequest} with the error to send to the client. */
  answer(exchange: Exchange): Promise<void>;
  /** Ends every session. Never rejects. */
  close(reason: string): Promise<void>;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** One of the endpoint's paths. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Resolves when the response has ended or the client has disconnected. */
  readonly closed: Promise<void>;
}

/** The limit of the SDK. The largest argument is the text of a file. */
const maxBodyBytes = 4 * 1024 * 1024;

/** A client that sends its request in a trickle must not keep it open forever. */
const bodyTimeoutMs = 30_000;

/** Clients choose their own names, so their length is limited. */
const maxOwnerChars = 200;

/** Thrown for a request that is not served, with the error for the client. */
export class RefusedRequest extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Returns the error for a refused request. The default code is that of JSON-RPC for implementation-defined errors. */
export function refused(status: number, message: string, code = -32000): RefusedRequest {
  return new RefusedRequest({ status, code, message });
}

/** Responds with a refusal as a JSON-RPC error without request id. */
export function sendRefusal({ status, code, message, headers }: Refusal, to: ServerResponse): void {
  for (const [name, value] of Object.entries(headers ?? {})) to.setHeader(name, value);
  sendJson(status, { jsonrpc: '2.0', error: { code, message }, id: null }, to);
}

export function sendJson(status: number, body: object, to: ServerResponse): void {
  to.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Responds with a line of text. */
export function sendText(status: number, text: string, to: ServerResponse): void {
  to.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

/**
 * Returns a key for the client that sent a request: its address, `User-Agent` and, from `initialize`, its `clientInfo`.
 */
export function ownerOf(request: IncomingMessage, body?: unknown): string {
  const info = InitializeRequestSchema.safeParse(body).data?.params.clientInfo;
  const own = [request.socket.remoteAddress, request.headers['user-agent'], info?.name, info?.version];
  return JSON.stringify(own.map((part) => part?.slice(0, maxOwnerChars)));
}

/**
 * Reads and parses the JSON body of a request.
 *
 * @throws {RefusedRequest} 400, 408, 413 or 415.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  // Browsers send `text/plain` and form types to other sites without a CORS preflight.
  if (!isJsonContentType(request.headers['content-type'])) throw refused(415, 'Content-Type must be application/json');
  const limits = {
    timeoutMs: bodyTimeoutMs,
    onTimeout: () => refused(408, `The request body did not arrive within ${bodyTimeoutMs / 1000} s`),
  };
  const body = await within(readBody(request), limits);
  try {
    return parseBoundedJson(body);
  } catch (error) {
    throw refused(400, `Parse error: ${messageOf(error)}`, -32700);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const tooLarge = () => refused(413, `The request is larger than ${maxBodyBytes} bytes`);
  if (Number(request.headers['content-length']) > maxBodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('error', () => reject(refused(400, 'The connection was closed')));
    request.once('close', () => reject(refused(400, 'The connection was closed')));
  });
}

/** Returns the size of a request's body; without `Content-Length` the maximum. */
export function bodyBytes(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? maxBodyBytes);
}

/** True if a body calls a tool: the only requests with large answers. */
export function isToolCall(body: unknown): boolean {
  if (Array.isArray(body)) return body.some(isToolCall);
  return typeof body === 'object' && body !== null && Reflect.get(body, 'method') === 'tools/call';
}

/** Streams the SDK's response to the client until it ends or the client disconnects. */
export async function sendResponse(answer: Response, { response, closed }: Exchange): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  const reader = answer.body?.getReader();
  if (reader === undefined) {
    response.end();
    return;
  }
  // The client waits for the headers, and the first chunk may come much later.
  response.flushHeaders();
  void closed.then(() => reader.cancel()).catch(() => undefined);
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const isBelowLimit = response.write(chunk.value);
    if (!isBelowLimit) await Promise.race([closed, new Promise((resolve) => response.once('drain', resolve))]);
  }
  response.end();
}
