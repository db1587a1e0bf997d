import type { Place } from '../../text/place.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { readRange } from '../documents/ranges.ts';
import { field } from '../readiness/readiness.ts';

/**
 * Returns the references to the symbol at the start of a place in an open document, by default without its declaration,
 * in the server's order. What is not in a file is dropped.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestReferences(
  server: LanguageServer,
  place: Place,
  limits: RequestLimits,
  options: { includeDeclaration: boolean } = { includeDeclaration: false },
): Promise<Place[]> {
  const params = { ...positionParams(server, place), context: options };
  return readPlaces(server, await server.request('textDocument/references', params, limits));
}

/** Definitions of a name, in the server's order. */
export interface Definitions {
  readonly locations: readonly Place[];
  /** URIs of the definitions that are not in files, such as those in an archive of classes. */
  readonly others: readonly string[];
}

/**
 * Returns the definitions of the name at the start of a place in an open document.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestDefinition(
  server: LanguageServer,
  place: Place,
  limits: RequestLimits,
): Promise<Definitions> {
  return readDefinitions(
    server,
    await server.request('textDocument/definition', positionParams(server, place), limits),
  );
}

/**
 * Returns the definitions of the type of the expression at the start of a place in an open document.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestTypeDefinition(
  server: LanguageServer,
  place: Place,
  limits: RequestLimits,
): Promise<Definitions> {
  const params = positionParams(server, place);
  return readDefinitions(server, await server.request('textDocument/typeDefinition', params, limits));
}

function readDefinitions(server: LanguageServer, answer: unknown): Definitions {
  const uris = listed(answer).flatMap((one) => uriOf(one) ?? []);
  return {
    locations: readPlaces(server, answer),
    others: uris.filter((uri) => server.files.fileOf(uri) === undefined),
  };
}

/**
 * Returns the implementations of the symbol at the start of a place in an open document, in the server's order. What is
 * not in a file is dropped.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestImplementations(
  server: LanguageServer,
  place: Place,
  limits: RequestLimits,
): Promise<Place[]> {
  const params = positionParams(server, place);
  return readPlaces(server, await server.request('textDocument/implementation', params, limits));
}

/** Returns the parameters of a request about the start of a place. */
export function positionParams({ files }: LanguageServer, { file, range }: Place) {
  return { textDocument: { uri: files.uriOf(file) }, position: range.start };
}

/** Reads `Location`, `Location[]`, `LocationLink[]` or `null`; of a link, its selection range. */
export function readPlaces({ files }: LanguageServer, answer: unknown): Place[] {
  return listed(answer).flatMap((one) => {
    const uri = uriOf(one);
    const range = readRange(field(one, 'range') ?? field(one, 'targetSelectionRange'));
    const file = uri === undefined ? undefined : files.fileOf(uri);
    return file !== undefined && range ? [{ file, range }] : [];
  });
}

function listed(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer : [answer];
}

function uriOf(one: unknown): string | undefined {
  const uri = field(one, 'uri') ?? field(one, 'targetUri');
  return typeof uri === 'string' ? uri : undefined;
}
