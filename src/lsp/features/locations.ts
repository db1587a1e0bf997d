import { fromUri, toUri } from '../../base/paths.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { type Position, type Range, readRange } from '../documents/ranges.ts';
import { field } from '../readiness/readiness.ts';

/** A range in a file, named by its absolute path. */
export interface Location {
  readonly path: string;
  readonly range: Range;
}

/** A place in a file, by absolute path. */
export interface PlaceInFile {
  readonly path: string;
  readonly position: Position;
}

/**
 * Returns where the symbol at a place in an open document is used, its declaration left out unless asked for, in the
 * server's order.
 *
 * Locations that are no files are left out.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestReferences(
  server: LanguageServer,
  place: PlaceInFile,
  limits: RequestLimits,
  options: { includeDeclaration: boolean } = { includeDeclaration: false },
): Promise<Location[]> {
  const params = { ...placeParams(place), context: options };
  return readLocations(await server.request('textDocument/references', params, limits));
}

/**
 * Returns where that which a place in an open document names is defined, in the server's order. Locations that are no
 * files are left out.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestDefinition(
  server: LanguageServer,
  place: PlaceInFile,
  limits: RequestLimits,
): Promise<Location[]> {
  return readLocations(await server.request('textDocument/definition', placeParams(place), limits));
}

/**
 * Returns where the symbol at a place in an open document is implemented, in the server's order. Locations that are no
 * files are left out.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestImplementations(
  server: LanguageServer,
  place: PlaceInFile,
  limits: RequestLimits,
): Promise<Location[]> {
  return readLocations(await server.request('textDocument/implementation', placeParams(place), limits));
}

function placeParams({ path, position }: PlaceInFile) {
  return { textDocument: { uri: toUri(path) }, position };
}

/** Reads `Location`, `Location[]`, `LocationLink[]` or `null`; of a link the selection is what is meant. */
function readLocations(answer: unknown): Location[] {
  const all: unknown[] = Array.isArray(answer) ? answer : [answer];
  return all.flatMap((one) => {
    const uri = field(one, 'uri') ?? field(one, 'targetUri');
    const range = readRange(field(one, 'range') ?? field(one, 'targetSelectionRange'));
    const path = typeof uri === 'string' ? fromUri(uri) : undefined;
    return path !== undefined && range ? [{ path, range }] : [];
  });
}
