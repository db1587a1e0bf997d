import { comparePositions } from '../../../lsp/documents/ranges.ts';
import { requestReferences } from '../../../lsp/features/locations.ts';
import type { Quirks } from '../spec.ts';

/**
 * Some servers leave out more than the declaration when asked for uses without it: TypeScript 7.0 and ty 0.0.105 what
 * imports a symbol, some-sass-language-server 2.3 everything; jedi-language-server 0.47 never leaves it out. They are asked for all, and the declaration is left out here.
 * The references of their conformance answers go red without this.
 */
export const referencesOfAll: NonNullable<Quirks['references']> = async (server, place, limits) => {
  const found = await requestReferences(server, place, limits, { includeDeclaration: true });
  return found.filter(({ path, range }) => path !== place.path || comparePositions(range.start, place.position) !== 0);
};
