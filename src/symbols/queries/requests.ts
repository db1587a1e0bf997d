import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { Place } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { EarlyAnswer } from '../occurrences/ledger.ts';

/**
 * Fails unless a server supports the LSP request `method`. `hints` name alternatives.
 *
 * @throws {ExpectedError} `server.refused`, which names the server.
 */
export function requireSupport(server: LanguageServer, method: string, hints: readonly string[]): void {
  if (server.supports(method)) return;
  throw new ExpectedError('server.refused', `${server.name} does not support \`${method}\``, { hints });
}

/** Resolves as `ask` does, or with `undefined` if the language server refuses the request (`server.refused`). */
export async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isExpected(error, 'server.refused')) return undefined;
    throw error;
  }
}

/** Opens a file in the server. Returns false if the file cannot be read. */
export async function tryShow(scope: SymbolScope, server: LanguageServer, file: string): Promise<boolean> {
  try {
    await scope.files.show(server, file, scope.call);
    return true;
  } catch (error) {
    if (isExpected(error) && error.code.startsWith('file.')) return false;
    throw error;
  }
}

/**
 * True if the server finds a definition, in or outside files, of what begins at a place in an open document.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function hasDefinition(scope: SymbolScope, server: LanguageServer, place: Place): Promise<boolean> {
  const found = await unlessRefused(() => requestDefinition(server, place, scope.files.limits(scope.call)));
  return found !== undefined && found.locations.length + found.others.length > 0;
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

/** Returns where the server leads the name at the start of a place, in or outside the project. @throws {ExpectedError} `server.*`. */
export async function definitionsAt(
  { files, call }: SymbolScope,
  active: ActiveServer,
  place: Place,
): Promise<readonly Place[]> {
  return await files.ask(active, call, async (server) => {
    await files.show(server, place.file, call);
    return (await requestDefinition(server, place, files.limits(call))).locations;
  });
}
