import { toUri } from '../../base/paths.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { Location } from '../../lsp/features/locations.ts';
import { field } from '../../lsp/readiness/readiness.ts';

/**
 * True if clangd's syntax tree (`textDocument/ast`, its own request) has a name that depends on the parameters of a
 * template at a range of an open document: `Traits<T>::name`, `Traits<T>().name`. clangd leads such a name to the
 * primary template, also where a specialization takes its place.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function isDependentName(
  server: LanguageServer,
  { path, range }: Location,
  limits: RequestLimits,
): Promise<boolean> {
  const node = await server.request('textDocument/ast', { textDocument: { uri: toUri(path) }, range }, limits);
  const kind = field(node, 'kind');
  return typeof kind === 'string' && kind.includes('Dependent');
}
