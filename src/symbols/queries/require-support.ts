import { ExpectedError } from '../../base/errors.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';

/**
 * Fails unless a server supports the LSP request `method`. `hints` name alternatives.
 *
 * @throws {ExpectedError} `server.refused`, which names the server.
 */
export function requireSupport(server: LanguageServer, method: string, hints: readonly string[]): void {
  if (server.supports(method)) return;
  throw new ExpectedError('server.refused', `${server.name} does not support \`${method}\``, { hints });
}
