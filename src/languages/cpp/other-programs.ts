import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { positionParams, requestReferences } from '../../lsp/features/locations.ts';
import { field } from '../../lsp/readiness/readiness.ts';
import { type Place, placeKey } from '../../text/place.ts';

/** True for the path or URI of a header of C or C++, or of a part of a file, by its extension. */
export function isHeader(path: string): boolean {
  return /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp|txx)$/i.test(path);
}

interface Described {
  readonly usr: string;
  readonly declaration: string;
  /** Absent if this translation unit does not define the symbol. */
  readonly definition: { readonly uri: string; readonly key: string } | undefined;
}

/**
 * clangd 22.1 treats functions and types of several programs as one if they have the same name:
 *
 * ```cpp
 * // server.cpp has a `main` and this function, and so has client.cpp
 * void usage() {}   // a rename changes both
 * ```
 *
 * Returns the files that define a symbol of the same name for a program of their own.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function otherPrograms(
  server: LanguageServer,
  place: Place,
  limits: RequestLimits,
): Promise<ReadonlySet<string>> {
  const others = new Set<string>();
  const all = await requestReferences(server, place, limits, { includeDeclaration: true });
  const used = new Set((await requestReferences(server, place, limits)).map(placeKey));
  const declared = all.filter((one) => !used.has(placeKey(one)) && one.file !== place.file && !isHeader(one.file));
  if (declared.length === 0) return others;
  const own = await describe(server, place, limits);
  if (own?.definition === undefined || isHeader(own.definition.uri)) return others;
  for (const one of declared) {
    const other = await describe(server, one, limits);
    if (other?.usr !== own.usr || other.definition === undefined) continue;
    if (other.definition.key !== own.definition.key && other.declaration !== own.declaration) others.add(one.file);
  }
  return others;
}

/** Requests clangd's own `textDocument/symbolInfo`. */
function describe(server: LanguageServer, place: Place, limits: RequestLimits): Promise<Described | undefined> {
  return server.documents.holding(place.file, async () => {
    server.documents.sync(place.file);
    const params = positionParams(server, place);
    const answer = await server.request('textDocument/symbolInfo', params, limits);
    const [found]: unknown[] = Array.isArray(answer) ? answer : [];
    const [usr, definition] = [field(found, 'usr'), field(found, 'definitionRange')];
    if (typeof usr !== 'string') return undefined;
    const uri = field(definition, 'uri');
    return {
      usr,
      declaration: JSON.stringify(field(found, 'declarationRange')),
      definition: typeof uri === 'string' ? { uri, key: JSON.stringify(definition) } : undefined,
    };
  });
}
