import { ExpectedError } from '../../base/errors.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';

/**
 * Checks that a server answers `method`; `hints` are what to do where it does not.
 *
 * @throws {ExpectedError} `server.refused` naming the server.
 */
export function requireSupport(server: LanguageServer, method: string, hints: readonly string[]): void {
  if (server.supports(method)) return;
  throw new ExpectedError('server.refused', `${server.name} does not support \`${method}\``, { hints });
}
