import { toUri } from '../../base/paths.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { type FilePosition, type Location, requestReferences } from '../../lsp/features/locations.ts';
import { field } from '../../lsp/readiness/readiness.ts';

/** True for the path or URI of a header of C or C++, or of a part of a file, by its extension. */
export function isHeader(path: string): boolean {
  return /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp|txx)$/i.test(path);
}

/** A symbol as clangd describes it in one translation unit. */
interface Described {
  readonly usr: string;
  readonly declaration: string;
  /** Absent if this translation unit does not define the symbol. */
  readonly definition: { readonly uri: string; readonly key: string } | undefined;
}

/**
 * Returns the absolute paths of files that define a symbol of the same name for a program of their own. clangd treats
 * functions and types of several programs of a project as one if they have the same name.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function otherPrograms(
  server: LanguageServer,
  place: FilePosition,
  limits: RequestLimits,
): Promise<ReadonlySet<string>> {
  const others = new Set<string>();
  const all = await requestReferences(server, place, limits, { includeDeclaration: true });
  const used = new Set((await requestReferences(server, place, limits)).map(keyOf));
  const declared = all.filter((one) => !used.has(keyOf(one)) && one.path !== place.path && !isHeader(one.path));
  if (declared.length === 0) return others;
  const own = await describe(server, place, limits);
  if (own?.definition === undefined || isHeader(own.definition.uri)) return others;
  for (const { path, range } of declared) {
    const other = await describe(server, { path, position: range.start }, limits);
    if (other?.usr !== own.usr || other.definition === undefined) continue;
    if (other.definition.key !== own.definition.key && other.declaration !== own.declaration) others.add(path);
  }
  return others;
}

function keyOf({ path, range: { start } }: Location): string {
  return `${path}:${start.line}:${start.character}`;
}

/** Requests clangd's own `textDocument/symbolInfo`. */
function describe(
  server: LanguageServer,
  { path, position }: FilePosition,
  limits: RequestLimits,
): Promise<Described | undefined> {
  return server.documents.holding(path, async () => {
    server.documents.sync(path);
    const params = { textDocument: { uri: toUri(path) }, position };
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
