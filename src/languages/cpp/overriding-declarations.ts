import { positionParams, readPlaces } from '../../lsp/features/locations.ts';
import type { LanguageAdapter } from '../../symbols/adapter.ts';
import { isCallable } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { type Place, placeKey } from '../../text/place.ts';

/**
 * Returns the declarations of overriding methods that are listed where they are defined. A change of the overridden method
 * concerns both:
 *
 * ```cpp
 * struct Memory : Store { bool save(int key) override; };   // in a header
 * bool Memory::save(int key) { return key > 0; }            // clangd lists this
 * ```
 *
 * Classes are left out: their other declarations only announce them.
 */
export const overridingDeclarations: NonNullable<LanguageAdapter<SymbolScope>['omittedImplementations']> = async (
  scope,
  { server, target },
  listed,
) => {
  if (!isCallable(target)) return [];
  const limits = scope.files.limits(scope.call);
  const found = new Map<string, Place>();
  for (const place of listed) {
    const declared = await server.documents.holding(place.file, async () => {
      server.documents.sync(place.file);
      return readPlaces(
        server,
        await server.request('textDocument/declaration', positionParams(server, place), limits),
      );
    });
    for (const one of declared) found.set(placeKey(one), one);
  }
  for (const place of listed) found.delete(placeKey(place));
  return [...found.values()];
};
