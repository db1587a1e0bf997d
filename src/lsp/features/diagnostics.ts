import { isExpected } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { RequestLimits } from '../client/connection.ts';
import type { LanguageServer } from '../client/language-server.ts';
import { type Diagnostic, readDiagnostics } from '../documents/diagnostic.ts';
import { field } from '../readiness/readiness.ts';

const method = 'textDocument/diagnostic';

/**
 * Returns the diagnostics of an open document as it was last sent, in the server's order, or `undefined` if the server
 * published none in time. Sends `textDocument/diagnostic` if the server supports it, which returns all diagnostics;
 * otherwise waits for the server to publish them.
 *
 * `onRefused` receives the message with which the server refuses the request. May send the document
 * again, so that the published diagnostics reflect the present state of the files that it depends on.
 *
 * @throws {ExpectedError} `server.terminated`; `server.timed-out` for a request without an answer.
 */
export async function requestDiagnostics(
  server: LanguageServer,
  file: string,
  limits: RequestLimits,
  onRefused?: (message: string) => void,
): Promise<readonly Diagnostic[] | undefined> {
  if (server.supports(method)) {
    const pulled = await pullDiagnostics(server, file, limits, onRefused);
    if (pulled !== undefined) return pulled;
  }
  const { documents } = server;
  if (documents.published.last(file) !== undefined) {
    await server.waitForBarrier(limits);
    return documents.published.last(file);
  }
  documents.refresh(file);
  if (!server.omitsEmptyDiagnostics) return documents.published.latest(file, limits);
  await server.waitForBarrier(limits);
  return documents.published.has(file) ? documents.published.latest(file, limits) : [];
}

/**
 * Returns the answer to `textDocument/diagnostic` about an open document, which contains all its diagnostics, or
 * `undefined` if the server refuses the request. Parameters as in {@link requestDiagnostics}.
 *
 * @throws {ExpectedError} `server.terminated`; `server.timed-out` for a request without an answer.
 */
export async function pullDiagnostics(
  server: LanguageServer,
  file: string,
  limits: RequestLimits,
  onRefused?: (message: string) => void,
): Promise<readonly Diagnostic[] | undefined> {
  try {
    const answer = await server.request(method, { textDocument: { uri: server.files.uriOf(file) } }, limits);
    const items = field(answer, 'items');
    return Array.isArray(items) ? readDiagnostics(items) : undefined;
  } catch (error) {
    if (!isExpected(error, 'server.refused')) throw error;
    log('lsp').debug(error.message);
    onRefused?.(error.message);
    return undefined;
  }
}
