import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { positionParams, requestDefinition, requestImplementations } from '../../lsp/features/locations.ts';
import { field } from '../../lsp/readiness/readiness.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { type Place, placeKey } from '../../text/place.ts';

/**
 * clangd 22.1 returns the direct subclasses of a class, and the methods that directly override one:
 *
 * ```cpp
 * struct Shape { virtual void draw(); };
 * struct Square : Shape { void draw() override; };
 * struct Tile : Square { void draw() override; };   // no implementation of `Shape`
 * ```
 *
 * Requests the implementations of implementations, too. A subclass is only opened if the type hierarchy, which needs no
 * file, has a class below it. As long as clangd has only parsed the header it names the declarations of methods; here their
 * definitions are returned. Covered by the tests of implementations in `test/languages/cpp/cpp.test.ts`.
 */
export const derivedImplementations: NonNullable<Quirks['implementations']> = async (server, place, limits) => {
  const found = new Map<string, Place>();
  const pending = [place];
  for (let asked = pending.pop(); asked !== undefined; asked = pending.pop()) {
    const { direct, isDeep } = await implementationsOf(server, asked, limits);
    for (const location of direct.filter((one) => !found.has(placeKey(one)))) {
      found.set(placeKey(location), location);
      if (isDeep) pending.push(location);
    }
  }
  const defined: Place[] = [];
  for (const location of found.values()) defined.push(await definitionOf(server, location, limits));
  return defined;
};

/** Returns the definition of a symbol; at a definition, clangd would answer with the declaration. */
function definitionOf(server: LanguageServer, place: Place, limits: RequestLimits): Promise<Place> {
  return server.documents.holding(place.file, async () => {
    server.documents.sync(place.file);
    const params = positionParams(server, place);
    const described = listed(await server.request('textDocument/symbolInfo', params, limits));
    const isDefined = described.some((one) => field(one, 'definitionRange') !== undefined);
    const [definition] = isDefined ? [] : (await requestDefinition(server, place, limits)).locations;
    return definition ?? place;
  });
}

/** The direct implementations of a symbol; `isDeep` if one of its class's subclasses has subclasses itself. */
interface Implementations {
  readonly direct: readonly Place[];
  readonly isDeep: boolean;
}

function implementationsOf(server: LanguageServer, place: Place, limits: RequestLimits): Promise<Implementations> {
  return server.documents.holding(place.file, async () => {
    server.documents.sync(place.file);
    const direct = await requestImplementations(server, place, limits);
    return { direct, isDeep: direct.length > 0 && (await isDeepClass(server, place, limits)) };
  });
}

/** Of a method, the type hierarchy is that of its class. */
async function isDeepClass(server: LanguageServer, place: Place, limits: RequestLimits): Promise<boolean> {
  const params = positionParams(server, place);
  const subtypes = async (item: unknown) => listed(await server.request('typeHierarchy/subtypes', { item }, limits));
  for (const item of listed(await server.request('textDocument/prepareTypeHierarchy', params, limits))) {
    for (const subtype of await subtypes(item)) {
      if ((await subtypes(subtype)).length > 0) return true;
    }
  }
  return false;
}

function listed(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer : [];
}
