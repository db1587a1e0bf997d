import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { isExpected } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { resources } from '../generated/resources.ts';
import { RefusedRequest } from './access.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

/** Larger than every memory that people write. */
const maxBodyBytes = 4 * 1024 * 1024;

/** Headers of every response. */
export const safeHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Checks the method of a request. @throws {RefusedRequest} 405. */
export function requireMethod({ method }: IncomingMessage, expected: 'GET' | 'POST'): void {
  if (method !== expected) throw new RefusedRequest(405, `use ${expected}`);
}

/** Reads a body of JSON. Forms of other pages cannot have this type. @throws {RefusedRequest} 400, 413, 415. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  if (request.headers['content-type'] !== 'application/json') throw new RefusedRequest(415, 'send application/json');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new RefusedRequest(413, 'the request is too large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new RefusedRequest(400, 'send JSON');
  }
}

/** Sends the file of the page that the URL names. None contains a secret. @throws {RefusedRequest} 404, 405. */
export function sendAsset({ request, response, url }: Exchange): void {
  requireMethod(request, 'GET');
  const asset = assetAt(url.pathname);
  if (asset === undefined) throw new RefusedRequest(404, 'not found');
  response.writeHead(200, { 'Content-Type': `${asset.type}; charset=utf-8` });
  response.end(asset.text);
}

/** Sends an answer. */
export function sendJson(value: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Sends why a request was not served. */
export function sendFailure(error: unknown, { request, response }: Omit<Exchange, 'url'>): void {
  const { status, message } = failureOf(error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // The rest of the request is not read.
  if (!request.complete) response.setHeader('Connection', 'close');
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: message }));
}

function failureOf(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof RefusedRequest) return error;
  if (isExpected(error)) return { status: 422, message: error.message };
  if (error instanceof z.ZodError) return { status: 400, message: z.prettifyError(error) };
  log('dashboard').error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { status: 500, message: 'internal error (please report); the details are in the log' };
}

/** A file of the page. */
interface Asset {
  readonly type: string;
  readonly text: string;
}

const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

/** Returns the file that a path in the URL names, `undefined` if there is none. */
function assetAt(path: string): Asset | undefined {
  const name = path === '/' ? 'index.html' : path.slice(1);
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  // TypeScript treats modules that end with `.html` as pages that a bundler made.
  const key = `dashboard/${type === types.html ? `${name}.txt` : name}`;
  const text = Object.hasOwn(resources, key) ? resources[key] : undefined;
  return type === undefined || text === undefined ? undefined : { type, text };
}
