import { fromUri, toUri } from '../base/paths.ts';
import type { RequestLimits } from './connection.ts';
import type { LanguageServer } from './language-server.ts';
import { type Position, type Range, readRange } from './ranges.ts';
import { field } from './readiness.ts';

/** A range in a file, named by its absolute path. */
export interface Location {
  readonly path: string;
  readonly range: Range;
}

/**
 * Returns where the symbol at `position` of an open document is used, its declaration left out, in the server's order.
 *
 * `path` is absolute. Locations that are no files are left out.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestReferences(
  server: LanguageServer,
  place: { readonly path: string; readonly position: Position },
  limits: RequestLimits,
): Promise<Location[]> {
  const answer = await server.request(
    'textDocument/references',
    {
      textDocument: { uri: toUri(place.path) },
      position: place.position,
      context: { includeDeclaration: false },
    },
    limits,
  );
  return Array.isArray(answer) ? answer.flatMap(readLocation) : [];
}

/** Reads a `Location` or `LocationLink`; the latter's selection is what is meant. */
function readLocation(value: unknown): Location[] {
  const uri = field(value, 'uri') ?? field(value, 'targetUri');
  const range = readRange(field(value, 'range') ?? field(value, 'targetSelectionRange'));
  const path = typeof uri === 'string' ? fromUri(uri) : undefined;
  return path !== undefined && range ? [{ path, range }] : [];
}
