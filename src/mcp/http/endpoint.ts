import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/server';
import type { Session } from '../../session/session.ts';
import type { SessionHandles } from '../session-handles.ts';

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

/** The request handler of a transport. */
export interface Endpoint {
  /** The paths that it serves, without a trailing slash; the first is the one in the URL for clients. */
  readonly paths: readonly [string, ...string[]];
  /** Answers a request for one of the paths. @throws {RefusedRequest} with the error to send to the client. */
  answer(exchange: Exchange): Promise<void>;
  /** Ends every session. Never rejects. */
  close(reason: string): Promise<void>;
}

/** One request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** One of the endpoint's paths. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Resolves when the response has ended or the client has disconnected. */
  readonly closed: Promise<void>;
}
