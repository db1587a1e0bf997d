import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/sdk/shared/mediaType.js';
import { InitializeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { within } from '../../base/deadline.ts';
import { messageOf } from '../../base/errors.ts';
import type { Refusal } from './access.ts';
import type { Exchange } from './endpoint.ts';

/** As much as the SDK takes: the largest argument is a file's text. */
const maxBodyBytes = 4 * 1024 * 1024;

/** A client that trickles its request must not hold it open for ever. */
const bodyTimeoutMs = 30_000;

/** Strangers choose what they call themselves. */
const maxOwnerChars = 200;

/** A request that cannot be served, with what its client is told. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Returns a refusal with JSON-RPC's code for what the protocol has no own code for. */
export function refused(status: number, message: string, code = -32000): Refused {
  return new Refused({ status, code, message });
}

/** Answers with a refusal, as a JSON-RPC error that belongs to no request. */
export function sendRefusal({ status, code, message, headers }: Refusal, to: ServerResponse): void {
  for (const [name, value] of Object.entries(headers ?? {})) to.setHeader(name, value);
  sendJson(status, { jsonrpc: '2.0', error: { code, message }, id: null }, to);
}

/** Answers with JSON. */
export function sendJson(status: number, body: object, to: ServerResponse): void {
  to.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Answers with a line of text. */
export function sendText(status: number, text: string, to: ServerResponse): void {
  to.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

/** Returns who a client is, as far as its address and its own words show: how it calls itself, in any message. */
export function ownerOf(request: IncomingMessage, body?: unknown): string {
  const info = InitializeRequestSchema.safeParse(body).data?.params.clientInfo;
  const own = [request.socket.remoteAddress, request.headers['user-agent'], info?.name, info?.version];
  return JSON.stringify(own.map((part) => part?.slice(0, maxOwnerChars)));
}

/**
 * Returns the JSON that a request carries.
 *
 * @throws {Refused} 400, 408, 413 or 415.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  // Browsers send any other type across sites without asking first.
  if (!isJsonContentType(request.headers['content-type'])) throw refused(415, 'Content-Type must be application/json');
  const limits = { timeoutMs: bodyTimeoutMs, onTimeout: () => refused(408, 'The request did not arrive in time') };
  const body = await within(readBody(request), limits);
  try {
    return JSON.parse(body);
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
    request.once('error', () => reject(refused(400, 'The request broke off')));
    request.once('close', () => reject(refused(400, 'The request broke off')));
  });
}

/** Returns how many bytes a request's body may have been. */
export function bodyBytes(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? maxBodyBytes);
}

/** Returns whether a body calls a tool: what is answered with more than a few bytes. */
export function isToolCall(body: unknown): boolean {
  if (Array.isArray(body)) return body.some(isToolCall);
  return typeof body === 'object' && body !== null && Reflect.get(body, 'method') === 'tools/call';
}

/** Sends what the SDK answers, piece by piece as it comes, until it ends or the client is gone. */
export async function sendResponse(answer: Response, { response, over }: Exchange): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  const reader = answer.body?.getReader();
  if (reader === undefined) {
    response.end();
    return;
  }
  // The client waits for the head, and the first piece may be long in coming.
  response.flushHeaders();
  void over.then(() => reader.cancel()).catch(() => undefined);
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const isTaken = response.write(piece.value);
    if (!isTaken) await Promise.race([over, new Promise((resolve) => response.once('drain', resolve))]);
  }
  response.end();
}
