import type { LanguageServer } from '../../lsp/client/language-server.ts';

/** The answer to a request that was sent before the project's changed files were reported to the language server. */
export interface EarlyAnswer<T> {
  /**
   * Returns the answer, or `undefined` if the server received a notification since the request or became busy. The
   * caller must then repeat the request.
   *
   * @throws {ExpectedError} errors of the request.
   */
  current(): Promise<T | undefined>;
}

/**
 * Sends a request at once, so that the server works on it while the project is searched for changed files, of which
 * there are usually none. Returns `undefined` if the server is not ready.
 */
export function askEarly<T>(server: LanguageServer, request: () => Promise<T>): EarlyAnswer<T> | undefined {
  if (!server.isReady) return undefined;
  const before = server.notificationCount;
  const answer = request();
  // Subscribe first, so that a late rejection is never unhandled.
  answer.catch(() => undefined);
  return {
    current: async () => (server.isReady && server.notificationCount === before ? await answer : undefined),
  };
}
