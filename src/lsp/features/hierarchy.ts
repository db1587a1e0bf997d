import type { Place, Range } from '../../text/place.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { readRange } from '../documents/ranges.ts';
import { field } from '../readiness/readiness.ts';
import { positionParams } from './locations.ts';

const calls = { capability: 'textDocument/callHierarchy', prepare: 'textDocument/prepareCallHierarchy' };
const types = { capability: 'textDocument/typeHierarchy', prepare: 'textDocument/prepareTypeHierarchy' };

/** The requests for the neighbors of a symbol, with the capability that declares them. */
export const hierarchyRequests = {
  callers: { ...calls, request: 'callHierarchy/incomingCalls' },
  callees: { ...calls, request: 'callHierarchy/outgoingCalls' },
  supertypes: { ...types, request: 'typeHierarchy/supertypes' },
  subtypes: { ...types, request: 'typeHierarchy/subtypes' },
} as const;

/** What a hierarchy lists of a symbol: the symbols that call it or that it calls, its supertypes or subtypes. */
export type HierarchyKind = keyof typeof hierarchyRequests;

export interface HierarchyNeighbor {
  readonly name: string;
  /** Its file; `undefined` if it is not in one. */
  readonly file: string | undefined;
  /** Range of its name. */
  readonly range: Range;
  /** Ranges of the calls: of `callers` in the neighbor's file, of `callees` in the symbol's; empty for types. */
  readonly calls: readonly Range[];
}

/** True if a server declares support for a hierarchy. */
export function supportsHierarchy(server: LanguageServer, kind: HierarchyKind): boolean {
  return server.supports(hierarchyRequests[kind].capability);
}

/**
 * Returns the direct neighbors of the symbol at the start of a place in an open document; `undefined` if the server has no such
 * hierarchy for the symbol.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestHierarchy(
  server: LanguageServer,
  { kind, ...place }: Place & { readonly kind: HierarchyKind },
  limits: RequestLimits,
): Promise<readonly HierarchyNeighbor[] | undefined> {
  const { prepare, request } = hierarchyRequests[kind];
  const items = listed(await server.request(prepare, positionParams(server, place), limits));
  if (items.length === 0) return undefined;
  const neighbors: HierarchyNeighbor[] = [];
  for (const item of items) {
    const answer = listed(await server.request(request, { item }, limits));
    neighbors.push(...answer.flatMap((one) => readNeighbor(server, one) ?? []));
  }
  return neighbors;
}

function listed(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer : [];
}

/** Reads a call, which contains an item, or an item. */
function readNeighbor({ files }: LanguageServer, one: unknown): HierarchyNeighbor | undefined {
  const item = field(one, 'from') ?? field(one, 'to') ?? one;
  const name = field(item, 'name');
  const uri = field(item, 'uri');
  const range = readRange(field(item, 'selectionRange')) ?? readRange(field(item, 'range'));
  if (typeof name !== 'string' || typeof uri !== 'string' || range === undefined) return undefined;
  const calls = listed(field(one, 'fromRanges')).flatMap((call) => readRange(call) ?? []);
  return { name, file: files.fileOf(uri), range, calls };
}
