import { positionParams, readPlaces } from '../../lsp/features/locations.ts';
import type { LanguageAdapter } from '../../symbols/adapter.ts';
import { isCallable, kinds } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { spanOf } from '../../symbols/model/text-range.ts';
import type { Judge } from '../../symbols/occurrences/ledger.ts';
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

const types: readonly number[] = [kinds.class, kinds.struct, kinds.enum];
const before = /\b(?:class|struct|union|enum)\s+(?:[\p{L}_][\p{L}\p{N}_]*::)*$/u;
const after = /^\s*;/;
/** Text around a name that shows whether it is declared. */
const maxChars = 200;

/**
 * clangd resolves a declaration of a type to itself if no file that it has read defines the type:
 *
 * ```cpp
 * class Joint;                          // a.h
 * class World { friend class Joint; };  // b.h: the same type
 * ```
 *
 * Leaves it open whether such an occurrence declares the symbol, because it may be one of another namespace.
 */
export const bareDeclarationJudge: Judge<SymbolScope> = {
  name: 'declared type',
  open: async (scope, { target }) => {
    if (!types.includes(target.kind)) return undefined;
    return async (candidate) => {
      if (candidate.isListed) return undefined;
      const lines = scope.files.textOf(candidate.file);
      const span = spanOf(lines, candidate.range);
      if (span === undefined || !after.test(lines.text.slice(span.end, span.end + maxChars))) return undefined;
      if (!before.test(lines.text.slice(Math.max(0, span.start - maxChars), span.start))) return undefined;
      const keys = await candidate.definitions();
      return keys.length > 0 && keys.every((key) => key === placeKey(candidate)) ? declared : undefined;
    };
  },
};

const declared = { verdict: 'open', reason: 'it declares a type of this name, which no known file defines' } as const;
