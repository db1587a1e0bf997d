import { get, type OutgoingHttpHeaders, request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** Sends one request exactly as given, including `Host`, and returns the whole response. */
export function rawRequest(url: string, { method = 'GET', headers = {}, body }: RawRequest = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Headers of every message of the Streamable HTTP transport. */
export const messageHeaders = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** Returns `initialize` as a client of `protocolVersion` sends it. */
export function initializeBody(protocolVersion = '2025-06-18'): string {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw-client', version: '1.0.0' } };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
}

/** Returns `tools/call` as a client sends it. */
export function callBody(name: string, args: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: args } });
}

/**
 * Opens the event stream of the SSE transport; returns the path to which its client posts messages, and a way to drop
 * it.
 */
export function openSse(url: string): Promise<{ readonly messagesUrl: string; close(): void }> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { headers: { Accept: 'text/event-stream' }, agent: false }, (response) => {
      response.setEncoding('utf8').once('data', (event: string) => {
        const path = /^event: endpoint\ndata: (\S+)$/m.exec(event)?.[1];
        if (path === undefined) reject(new Error(`The stream begins with ${event}`));
        else resolve({ messagesUrl: new URL(path, url).href, close: () => sent.destroy() });
      });
      response.on('error', () => undefined);
    });
    sent.on('error', reject);
  });
}
