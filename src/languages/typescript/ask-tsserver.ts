import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';

/** Sends one of tsserver's own requests. */
export function askTsserver(
  server: LanguageServer,
  request: [command: string, parameters: object, options?: object],
  limits: RequestLimits,
): Promise<unknown> {
  const params = { command: 'typescript.tsserverRequest', arguments: request };
  return server.request('workspace/executeCommand', params, limits);
}
