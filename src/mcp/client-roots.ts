import { ClientCapabilitiesSchema } from '@modelcontextprotocol/core';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { fromUri } from '../base/paths.ts';

/** A client that declares roots but does not answer must not delay the first call for long. */
const rootsTimeoutMs = 3_000;

type Request = ServerContext['mcpReq'];

/** Key of the roots among the inputs that a result of the stateless protocol requests. */
const rootsKey = 'roots';

/** Returns what the client declares: in `initialize`, or with each request of the stateless protocol. */
export function capabilitiesOf(server: Server, { envelope }: Request): ClientCapabilities | undefined {
  if (envelope === undefined) return server.getClientCapabilities();
  return ClientCapabilitiesSchema.safeParse(Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY)).data;
}

/** True if the client declares roots. */
export function hasRoots(server: Server, request: Request): boolean {
  return capabilitiesOf(server, request)?.roots !== undefined;
}

export class ClientRoots {
  readonly #server: Server;
  #known: readonly string[] | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  /**
   * Returns the result that asks a client of the stateless protocol for its roots and to repeat the call; `undefined` for
   * other clients, for those without roots, and once the roots are known.
   */
  ask(request: Request): InputRequiredResult | undefined {
    if (request.envelope === undefined || !hasRoots(this.#server, request) || this.#known) return undefined;
    const answer = inputResponse(request.inputResponses, rootsKey);
    if (answer.kind !== 'roots') return inputRequired({ inputRequests: { [rootsKey]: inputRequired.listRoots() } });
    this.#known = answer.roots.flatMap(({ uri }) => fromUri(uri) ?? []);
    return undefined;
  }

  /**
   * Returns the roots as absolute paths; none if the client has none or does not answer. Without the stateless protocol
   * it requests them; over HTTP on the stream of `request`, as the client may have no other.
   */
  async list(request: Request): Promise<readonly string[]> {
    if (request.envelope !== undefined) return this.#known ?? [];
    if (!hasRoots(this.#server, request)) return [];
    try {
      const { roots } = await this.#server.listRoots(undefined, {
        timeout: rootsTimeoutMs,
        relatedRequestId: request.id,
      });
      return roots.flatMap(({ uri }) => fromUri(uri) ?? []);
    } catch (error) {
      log('mcp').warn(`The client did not report its roots: ${messageOf(error)}`);
      return [];
    }
  }
}
