import { toUri } from '../../base/paths.ts';
import type { Position } from '../../text/position.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { field } from '../readiness/readiness.ts';

/**
 * Returns the hover text at `position` of an open document, its parts joined by newlines, or `undefined` if the server
 * returns none. `path` is absolute.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestHover(
  server: LanguageServer,
  place: { readonly path: string; readonly position: Position },
  limits: RequestLimits,
): Promise<string | undefined> {
  const params = { textDocument: { uri: toUri(place.path) }, position: place.position };
  const answer = await server.request('textDocument/hover', params, limits);
  const contents = field(answer, 'contents');
  const parts = Array.isArray(contents) ? contents : [contents];
  const values = parts.map((part: unknown) => (typeof part === 'string' ? part : field(part, 'value')));
  const texts = values
    .filter((part) => typeof part === 'string' && part.trim() !== '')
    .map((part) => String(part).trim());
  return texts.length === 0 ? undefined : texts.join('\n');
}
