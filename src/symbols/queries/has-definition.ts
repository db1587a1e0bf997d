import { requestDefinition } from '../../lsp/features/locations.ts';
import type { Place } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { ReferencesQuestion } from './cross-check.ts';
import { unlessRefused } from './unless-refused.ts';

/**
 * True if the server finds a definition, in or outside files, of what begins at a place in an open document.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function hasDefinition(
  scope: SymbolScope,
  server: ReferencesQuestion['server'],
  place: Place,
): Promise<boolean> {
  const found = await unlessRefused(() => requestDefinition(server, place, scope.files.limits(scope.call)));
  return found !== undefined && found.locations.length + found.others.length > 0;
}
