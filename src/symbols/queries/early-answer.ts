import type { LanguageServer } from '../../lsp/client/language-server.ts';

/** An answer that a language server was asked for before all changes of the project's files were reported to it. */
export interface EarlyAnswer<T> {
  /**
   * Returns the answer, or `undefined` if the server was notified of anything since it was asked, or became busy: then it
   * has to be asked again.
   *
   * @throws {ExpectedError} what the request throws.
   */
  current(): Promise<T | undefined>;
}

/**
 * Sends a request at once, so that the server works on it while the project is searched for changes: most of the time
 * there are none. Returns `undefined` where the server is not ready.
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
