import { requestReferences } from '../lsp/features/locations.ts';
import type { Quirks } from '../servers/quirks.ts';
import { comparePositions } from '../text/place.ts';

/**
 * Requests references with the declaration and removes the declaration here. Without `includeDeclaration`, TypeScript
 * 7.0 and ty 0.0.105 also omit imports of the symbol, and some-sass-language-server 2.3 omits everything;
 * jedi-language-server 0.47, fortls 3.2 and vhdl_ls 0.88 never omit the declaration. Covered by "references" of their conformance answers.
 */
export const referencesOfAll: NonNullable<Quirks['references']> = async (server, place, limits) => {
  const references = await requestReferences(server, place, limits, { includeDeclaration: true });
  return references.filter(
    ({ path, range }) => path !== place.path || comparePositions(range.start, place.position) !== 0,
  );
};
