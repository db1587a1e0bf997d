import { isExpected } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { toUri } from '../base/paths.ts';
import type { RequestLimits } from './connection.ts';
import { type Diagnostic, readDiagnostics } from './diagnostic.ts';
import type { LanguageServer } from './language-server.ts';
import { field } from './readiness.ts';

const method = 'textDocument/diagnostic';

/**
 * Returns the diagnostics of an open document as it was last sent, in the server's order, or `undefined` when the server
 * did not say in time. It is asked for them where it lets itself be asked, which it answers with all it finds; else what
 * it publishes is waited for, at most 2.5 s.
 *
 * `path` is absolute. May send the document once more, so that what is published is about the present state of the files
 * that it depends on.
 *
 * @throws {ExpectedError} `server.terminated`, `server.timed-out` for a request that is not answered.
 */
export async function requestDiagnostics(
  server: LanguageServer,
  path: string,
  limits: RequestLimits,
): Promise<readonly Diagnostic[] | undefined> {
  if (server.supports(method)) {
    try {
      const answer = await server.request(method, { textDocument: { uri: toUri(path) } }, limits);
      const items = field(answer, 'items');
      if (Array.isArray(items)) return readDiagnostics(items);
    } catch (error) {
      if (!isExpected(error, 'server.refused')) throw error;
      log('lsp').debug(error.message);
    }
  }
  const { documents } = server;
  if (documents.published.has(path)) documents.resend(path);
  return documents.published.latest(path, limits);
}
