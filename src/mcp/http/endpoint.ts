import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

/** How to serve clients over HTTP. */
export interface HttpOptions {
  readonly transport: 'streamable-http' | 'sse';
  /** Name or numeric address to listen on. */
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Further names that clients know this machine by. */
  readonly allowedHosts: readonly string[];
  /** What every request has to carry. Without one, a token is made where one is needed. */
  readonly token: string | undefined;
  readonly idleTimeoutMs: number | undefined;
  /** Makes what a new client works with. @throws {ExpectedError} `config.invalid`. */
  readonly connect: () => Promise<HttpClient>;
}

/** What one client works with: the protocol's side of it and ours. */
export interface HttpClient {
  readonly server: Server;
  /** Cancels what runs, with `reason` as its failure, and gives up what the client held. Never rejects. */
  close(reason: string): Promise<void>;
}

/** What a transport has the server do. */
export interface Endpoint {
  /** The paths that it serves, without a slash at the end; clients are told the first. */
  readonly paths: readonly [string, ...string[]];
  /** Answers a request for one of the paths. @throws {Refused} what the client is told instead. */
  answer(exchange: Exchange): Promise<void>;
  /** Ends every session. Never rejects. */
  close(reason: string): Promise<void>;
}

/** One request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** One of the endpoint's paths. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Resolves when the answer has ended or the client is gone. */
  readonly over: Promise<void>;
}
