import type { Place } from '../../text/place.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { field } from '../readiness/readiness.ts';
import { positionParams } from './locations.ts';

/**
 * Returns the hover text at the start of a place in an open document, its parts joined by newlines, or `undefined` if
 * the server returns none.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function requestHover(
  server: LanguageServer,
  place: Place,
  limits: RequestLimits,
): Promise<string | undefined> {
  const answer = await server.request('textDocument/hover', positionParams(server, place), limits);
  const contents = field(answer, 'contents');
  const parts = Array.isArray(contents) ? contents : [contents];
  const values = parts.map((part: unknown) => (typeof part === 'string' ? part : field(part, 'value')));
  const texts = values
    .filter((part) => typeof part === 'string' && part.trim() !== '')
    .map((part) => String(part).trim());
  return texts.length === 0 ? undefined : texts.join('\n');
}
