import { fromUri, toUri } from '../../base/paths.ts';
import type { Range } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { readRange } from '../documents/ranges.ts';
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

/** Definitions of a name, in the server's order. */
export interface Definitions {
  readonly locations: readonly Location[];
  /** URIs of the definitions that are not in files, such as those in an archive of classes. */
  readonly others: readonly string[];
}

/**
 * Returns the definitions of the name at a position in an open document.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestDefinition(
  server: LanguageServer,
  place: FilePosition,
  limits: RequestLimits,
): Promise<Definitions> {
  return readDefinitions(await server.request('textDocument/definition', positionParams(place), limits));
}

/**
 * Returns the definitions of the type of the expression at a position in an open document.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestTypeDefinition(
  server: LanguageServer,
  place: FilePosition,
  limits: RequestLimits,
): Promise<Definitions> {
  return readDefinitions(await server.request('textDocument/typeDefinition', positionParams(place), limits));
}

function readDefinitions(answer: unknown): Definitions {
  const uris = listed(answer).flatMap((one) => uriOf(one) ?? []);
  return { locations: readLocations(answer), others: uris.filter((uri) => fromUri(uri) === undefined) };
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

export function positionParams({ path, position }: FilePosition) {
  return { textDocument: { uri: toUri(path) }, position };
}

/** Reads `Location`, `Location[]`, `LocationLink[]` or `null`; of a link, its selection range. */
function readLocations(answer: unknown): Location[] {
  return listed(answer).flatMap((one) => {
    const uri = uriOf(one);
    const range = readRange(field(one, 'range') ?? field(one, 'targetSelectionRange'));
    const path = uri === undefined ? undefined : fromUri(uri);
    return path !== undefined && range ? [{ path, range }] : [];
  });
}

function listed(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer : [answer];
}

function uriOf(one: unknown): string | undefined {
  const uri = field(one, 'uri') ?? field(one, 'targetUri');
  return typeof uri === 'string' ? uri : undefined;
}
