import { fromUri, toUri } from '../../base/paths.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { type Position, type Range, readRange } from '../documents/ranges.ts';
import { field } from '../readiness/readiness.ts';

/** A range in the file at an absolute path. */
export interface Location {
  readonly path: string;
  readonly range: Range;
}

/** A position in the file at an absolute path. */
export interface FilePosition {
  readonly path: string;
  readonly position: Position;
}

/**
 * Returns the references to the symbol at a position in an open document, by default without its declaration, in the
 * server's order. Locations that are not files are dropped.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestReferences(
  server: LanguageServer,
  place: FilePosition,
  limits: RequestLimits,
  options: { includeDeclaration: boolean } = { includeDeclaration: false },
): Promise<Location[]> {
  const params = { ...positionParams(place), context: options };
  return readLocations(await server.request('textDocument/references', params, limits));
}

/**
 * Returns the definitions of the name at a position in an open document, in the server's order. Locations that are not
 * files are dropped.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestDefinition(
  server: LanguageServer,
  place: FilePosition,
  limits: RequestLimits,
): Promise<Location[]> {
  return readLocations(await server.request('textDocument/definition', positionParams(place), limits));
}

/**
 * Returns the implementations of the symbol at a position in an open document, in the server's order. Locations that
 * are not files are dropped.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestImplementations(
  server: LanguageServer,
  place: FilePosition,
  limits: RequestLimits,
): Promise<Location[]> {
  return readLocations(await server.request('textDocument/implementation', positionParams(place), limits));
}

function positionParams({ path, position }: FilePosition) {
  return { textDocument: { uri: toUri(path) }, position };
}

/** Reads `Location`, `Location[]`, `LocationLink[]` or `null`; of a link, its selection range. */
function readLocations(answer: unknown): Location[] {
  const all: unknown[] = Array.isArray(answer) ? answer : [answer];
  return all.flatMap((one) => {
    const uri = field(one, 'uri') ?? field(one, 'targetUri');
    const range = readRange(field(one, 'range') ?? field(one, 'targetSelectionRange'));
    const path = typeof uri === 'string' ? fromUri(uri) : undefined;
    return path !== undefined && range ? [{ path, range }] : [];
  });
}
