import { isExpected } from '../../base/errors.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { ReferencesQuestion } from './cross-check.ts';

/**
 * True if the server finds a definition, in or outside files, of what stands at a place in an open document.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function hasDefinition(
  scope: SymbolScope,
  server: ReferencesQuestion['server'],
  place: ReferencesQuestion['place'],
): Promise<boolean> {
  try {
    const { locations, others } = await requestDefinition(server, place, scope.files.limits(scope.call));
    return locations.length + others.length > 0;
  } catch (error) {
    if (isExpected(error, 'server.refused')) return false;
    throw error;
  }
}
