import type { IncomingMessage, ServerResponse } from 'node:http';
import { InitializeRequestSchema } from '@modelcontextprotocol/core';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { parseBoundedJson } from '../../base/bounded-json.ts';
import { within } from '../../base/deadline.ts';
import { messageOf } from '../../base/errors.ts';
import type { Refusal } from './access.ts';
import type { Exchange } from './endpoint.ts';

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

/** Responds with JSON. */
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
